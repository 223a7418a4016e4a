--[[ store/follows/clear_edge.lua — one person no longer follows another: the truth of the edge, and with it
     how much was asked for of them.
     KEYS[1] ZSET following     KEYS[2] HASH user (the follower)   KEYS[3] HASH auth
     KEYS[4] STREAM arrivals    KEYS[5] channel of the follower      KEYS[6] HASH author_preferences
     KEYS[7] ZSET hidden_reposts
     ARGV[1] deadline (ms)      ARGV[2] whom               ARGV[3] epoch of the session, or ''
     Returns 1 no longer follows | 0 did not before | -3 the session is over ]]
-- include: late, session_ended, rewrite_field, notify_watchers
if late(ARGV[1]) then return redis.error_reply(LATE) end
if session_ended(KEYS[3], ARGV[3]) then return -3 end
redis.call('HDEL', KEYS[6], ARGV[2])
redis.call('ZREM', KEYS[7], ARGV[2])
if redis.call('ZREM', KEYS[1], ARGV[2]) == 0 then
  rewrite_field(KEYS[2], 'following')
  return 0
end
redis.call('HSET', KEYS[2], 'following', redis.call('ZCARD', KEYS[1]))
notify_watchers(KEYS[4], KEYS[5])
return 1
