--[[ set_relation.lua: sets a relation of a user, the source of truth, and its count.
     KEYS     relation (ZSET), user (HASH), auth (HASH), arrivals (STREAM), channel (of the user),
              blocked (ZSET), blocked_by (ZSET),
              other (ZSET of another relation of the user; absent without a role)
     ARGV     deadline_ms, member, limit, session_epoch (or ''), count_field (of the user, or ''),
              person (with whom the relation is, or ''),
              role (of `other`: 'required', it must have the member; 'prevents', nothing is set if it has the
              member; 'replaced', it loses the member; or ''),
              age_ms (of the relation: 0 unless it is dated back)
     Returns  'set' (by this call or an earlier one, or prevented) | 'too_many'
              | 'not_found' (no such user, a required member is missing, or one of both people blocks the
              other) | 'session_ended' ]]
-- include: late, session_ended, rewrite_field, next_score, notify_watchers, is_blocked_either_way
local relation, user, auth, arrivals, channel, blocked, blocked_by, other = unpack(KEYS)
local deadline_ms, member, limit, session_epoch, count_field, person, role, age_ms = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
if redis.call('HEXISTS', user, 'login') == 0 then return 'not_found' end
local is_in_other = other and redis.call('ZSCORE', other, member)
local is_allowed = not (role == 'required' and not is_in_other)
  and not (person ~= '' and is_blocked_either_way(blocked, blocked_by, person))
local is_set = redis.call('ZSCORE', relation, member) or (role == 'prevents' and is_in_other)
if not is_allowed or is_set then
  if is_allowed and role == 'replaced' then redis.call('ZREM', other, member) end
  rewrite_field(user, 'login')
  return is_allowed and 'set' or 'not_found'
end
if redis.call('ZCARD', relation) >= tonumber(limit) then return 'too_many' end
redis.call('ZADD', relation, next_score(relation, age_ms), member)
if role == 'replaced' then redis.call('ZREM', other, member) end
if count_field ~= '' then
  redis.call('HSET', user, count_field, redis.call('ZCARD', relation))
  notify_watchers(arrivals, channel)
end
return 'set'
