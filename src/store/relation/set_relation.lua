--[[ set_relation.lua: sets a relation of a user, the source of truth, and its count.
     KEYS     relation (ZSET), user (HASH), auth (HASH), arrivals (STREAM), channel (of the user),
              required (ZSET that must have the member; absent if nothing is required)
     ARGV     deadline_ms, member, limit, session_epoch (or ''), count_field (of the user, or '')
     Returns  'set' (by this call or an earlier one) | 'too_many'
              | 'not_found' (no such user, or a required member is missing) | 'session_ended' ]]
-- include: late, session_ended, rewrite_field, next_score, notify_watchers
local relation, user, auth, arrivals, channel, required = unpack(KEYS)
local deadline_ms, member, limit, session_epoch, count_field = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
if redis.call('HEXISTS', user, 'login') == 0 then return 'not_found' end
local is_allowed = not required or redis.call('ZSCORE', required, member)
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
