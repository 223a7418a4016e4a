--[[ set_relation.lua: sets a relation of a user, the source of truth, and its count.
     KEYS     relation (ZSET), user (HASH), auth (HASH), arrivals (STREAM), channel (of the user),
              blocked (ZSET), blocked_by (ZSET),
              required (ZSET that must have the member; absent if nothing is required)
     ARGV     deadline_ms, member, limit, session_epoch (or ''), count_field (of the user, or ''),
              person (with whom the relation is, or '')
     Returns  'set' (by this call or an earlier one) | 'too_many'
              | 'not_found' (no such user, a required member is missing, or one of both people blocks the
              other) | 'session_ended' ]]
-- include: late, session_ended, rewrite_field, next_score, notify_watchers, is_apart
local relation, user, auth, arrivals, channel, blocked, blocked_by, required = unpack(KEYS)
local deadline_ms, member, limit, session_epoch, count_field, person = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
if redis.call('HEXISTS', user, 'login') == 0 then return 'not_found' end
local is_allowed = not (required and not redis.call('ZSCORE', required, member))
  and not (person ~= '' and is_apart(blocked, blocked_by, person))
if not is_allowed or redis.call('ZSCORE', relation, member) then
  rewrite_field(user, 'login')
  return is_allowed and 'set' or 'not_found'
end
if redis.call('ZCARD', relation) >= tonumber(limit) then return 'too_many' end
redis.call('ZADD', relation, next_score(relation), member)
if count_field ~= '' then
  redis.call('HSET', user, count_field, redis.call('ZCARD', relation))
  notify_watchers(arrivals, channel)
end
return 'set'
