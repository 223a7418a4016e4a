--[[ charge_reading.lua: counts one reading action against a rate limit, like charge_rate_limit.lua. It works
     with full memory. Where Redis takes no writes, the action is allowed and not counted.
     KEYS     schedule (STRING: time at which the next action would be due, µs)
     ARGV     interval_us, burst
     Returns  0 if within the limit, else the microseconds until the next try is allowed ]]
-- flags: allow-oom
-- include: schedule_action
local schedule = KEYS[1]
local interval_us, burst = unpack(ARGV)
local early, due, ttl_ms = schedule_action(schedule, interval_us, burst)
if early > 0 then return early end
redis.pcall('SET', schedule, due, 'PX', ttl_ms)
return 0
