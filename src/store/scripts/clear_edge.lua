--[[ store/scripts/clear_edge.lua — one person no longer follows another: the truth of the edge.
     KEYS[1] ZSET following     KEYS[2] HASH user (the follower)
     ARGV[1] deadline (ms)      ARGV[2] whom
     Returns 1 no longer follows | 0 did not before ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
if redis.call('ZREM', KEYS[1], ARGV[2]) == 0 then return 0 end
redis.call('HSET', KEYS[2], 'following', redis.call('ZCARD', KEYS[1]))
return 1
