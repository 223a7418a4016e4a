--[[ store/follows/set_hidden_reposts.lua — says whether the reposts of somebody whom a person follows come to
     their home: a part of the truth of the edge.
     KEYS[1] ZSET following     KEYS[2] ZSET hidden_reposts     KEYS[3] HASH user (the follower)
     KEYS[4] HASH auth
     ARGV[1] deadline (ms)      ARGV[2] whom           ARGV[3] 'hide' or 'show'
     ARGV[4] epoch of the session that asks, or ''
     Returns 1 done | 0 the person does not follow them | -3 the session is over ]]
-- include: late, session_ended, rewrite_field, next_score
if late(ARGV[1]) then return redis.error_reply(LATE) end
if session_ended(KEYS[4], ARGV[4]) then return -3 end
rewrite_field(KEYS[3], 'following')
if not redis.call('ZSCORE', KEYS[1], ARGV[2]) then return 0 end
if ARGV[3] == 'show' then
  redis.call('ZREM', KEYS[2], ARGV[2])
elseif not redis.call('ZSCORE', KEYS[2], ARGV[2]) then
  redis.call('ZADD', KEYS[2], next_score(KEYS[2]), ARGV[2])
end
return 1
