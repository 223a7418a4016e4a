--[[ store/scripts/unmirror_edge.lua — takes one out of somebody's audience.
     KEYS[1] ZSET audience      KEYS[2] HASH user
     KEYS[3] STREAM arrivals    KEYS[4] channel of this person, both where it is counted
     ARGV[1] deadline (ms)      ARGV[2] whom to take out
     ARGV[3] field of user that counts this audience, or ''
     Returns the size of the audience ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
redis.call('ZREM', KEYS[1], ARGV[2])
local count = redis.call('ZCARD', KEYS[1])
if ARGV[3] ~= '' and redis.call('HEXISTS', KEYS[2], 'login') == 1 then
  redis.call('HSET', KEYS[2], ARGV[3], count)
  tell(KEYS[3], KEYS[4])
end
return count
