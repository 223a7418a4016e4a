--[[ store/scripts/unmirror_edge.lua — removes the followed one's side of an edge.
     KEYS[1] ZSET followers     KEYS[2] HASH user (the followed)
     ARGV[1] deadline (ms)      ARGV[2] follower
     Returns the number of followers ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
redis.call('ZREM', KEYS[1], ARGV[2])
local count = redis.call('ZCARD', KEYS[1])
if redis.call('HEXISTS', KEYS[2], 'login') == 1 then
  redis.call('HSET', KEYS[2], 'followers', count)
end
return count
