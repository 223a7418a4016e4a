--[[ wait_for_sweep.lua: adds a person to those who wait for a sweep. One who waits keeps their place. It works with full
     memory, because the sweep deletes the rest of an account.
     KEYS     waiting (ZSET: user id → time in ms)
     ARGV     now_ms, user_id
     Returns  'waiting' ]]
-- flags: allow-oom
local waiting = KEYS[1]
local now_ms, user_id = unpack(ARGV)
redis.call('ZADD', waiting, 'NX', now_ms, user_id)
return 'waiting'
