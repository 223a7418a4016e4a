--[[ store/follows/set_preference.lua — how much somebody asks for of a person whom they follow: all there is
     of it. What is normal stands nowhere.
     KEYS[1] HASH author_preferences       KEYS[2] ZSET following     KEYS[3] HASH user   KEYS[4] HASH auth
     ARGV[1] deadline (ms)      ARGV[2] of whom            ARGV[3] more, less or normal
     ARGV[4] epoch of the session that asks, or ''
     Returns 1 it is so | 0 does not follow them | -3 the session is over ]]
-- include: late, session_ended, rewrite_field
if late(ARGV[1]) then return redis.error_reply(LATE) end
if session_ended(KEYS[4], ARGV[4]) then return -3 end
if not redis.call('ZSCORE', KEYS[2], ARGV[2]) then
  rewrite_field(KEYS[3], 'login')
  return 0
end
if ARGV[3] == 'normal' then
  redis.call('HDEL', KEYS[1], ARGV[2])
  rewrite_field(KEYS[3], 'login')
else
  redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
end
return 1
