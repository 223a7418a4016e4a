--[[ store/follows/set_edge.lua — one person follows another: the truth of the edge.
     KEYS[1] ZSET following     KEYS[2] HASH user (the follower)   KEYS[3] HASH auth
     KEYS[4] STREAM arrivals    KEYS[5] channel of the follower
     ARGV[1] deadline (ms)      ARGV[2] whom               ARGV[3] how many one can follow
     ARGV[4] epoch of the session that asks, or ''
     Returns 1 follows now | 0 did before | -1 follows too many | -2 no such follower |
     -3 the session is over ]]
-- include: late, session_ended, rewrite_field, next_score, notify_watchers
if late(ARGV[1]) then return redis.error_reply(LATE) end
if session_ended(KEYS[3], ARGV[4]) then return -3 end
if redis.call('HEXISTS', KEYS[2], 'login') == 0 then return -2 end
if redis.call('ZSCORE', KEYS[1], ARGV[2]) then
  rewrite_field(KEYS[2], 'following')
  return 0
end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return -1 end
redis.call('ZADD', KEYS[1], next_score(KEYS[1]), ARGV[2])
redis.call('HSET', KEYS[2], 'following', redis.call('ZCARD', KEYS[1]))
notify_watchers(KEYS[4], KEYS[5])
return 1
