--[[ take_rate.lua: takes one token of a rate limit (GCRA): a burst, then one token an interval.
     KEYS     schedule (STRING: time at which the next token would be due, µs)
     ARGV     interval_us, burst, kind ('reading' is allowed where Redis takes no writes | 'writing')
     Returns  0 if within the limit, else the microseconds until the next try is allowed ]]
local schedule = KEYS[1]
local interval_us, burst, kind = unpack(ARGV)
local now = redis.call('TIME')
now = now[1] * 1000000 + now[2]
local interval = tonumber(interval_us)
local due = math.max(tonumber(redis.call('GET', schedule) or now), now)
local early = due + interval - now - interval * tonumber(burst)
if early > 0 then return early end
due = due + interval
local write = kind == 'reading' and redis.pcall or redis.call
write('SET', schedule, string.format('%.0f', due), 'PX', math.ceil((due - now) / 1000))
return 0
