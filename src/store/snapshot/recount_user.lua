--[[ recount_user.lua: stores the id and the counts of a user.
     KEYS     user (HASH), following (ZSET), followers (ZSET), profile (ZSET), requests (ZSET),
              arrivals (STREAM), channel (of the user)
     ARGV     user_id
     Returns  'counted' | 'unknown_user' ]]
-- include: notify_watchers
local user, following, followers, profile, requests, arrivals, channel = unpack(KEYS)
local user_id = ARGV[1]
if redis.call('HEXISTS', user, 'login') == 0 then return 'unknown_user' end
redis.call('HSET', user, 'id', user_id, 'following', redis.call('ZCARD', following),
  'followers', redis.call('ZCARD', followers), 'posts', redis.call('ZCARD', profile))
if redis.call('HEXISTS', user, 'requests') == 1 or redis.call('EXISTS', requests) == 1 then
  redis.call('HSET', user, 'requests', redis.call('ZCARD', requests))
end
notify_watchers(arrivals, channel)
return 'counted'
