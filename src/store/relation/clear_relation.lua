--[[ clear_relation.lua: removes a relation of a user, the source of truth, and what depends on it.
     KEYS     relation (ZSET), user (HASH), auth (HASH), arrivals (STREAM), channel (of the user),
              then dependents (HASHes, then ZSETs, which lose the member too)
     ARGV     deadline_ms, member, session_epoch (or ''), count_field (of the user, or ''),
              hash_count (number of HASHes)
     Returns  'cleared' | 'unchanged' | 'session_ended' ]]
-- flags: allow-oom
-- include: late, session_ended, rewrite_field, notify_watchers
local relation, user, auth, arrivals, channel = unpack(KEYS)
local deadline_ms, member, session_epoch, count_field, hash_count = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
for index = 6, #KEYS do
  if index - 5 <= tonumber(hash_count) then
    redis.call('HDEL', KEYS[index], member)
  else
    redis.call('ZREM', KEYS[index], member)
  end
end
if redis.call('ZREM', relation, member) == 0 then
  rewrite_field(user, 'login')
  return 'unchanged'
end
if count_field ~= '' then
  redis.call('HSET', user, count_field, redis.call('ZCARD', relation))
  notify_watchers(arrivals, channel)
end
return 'cleared'
