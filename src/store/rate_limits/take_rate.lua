--[[ store/rate_limits/take_rate.lua — a rate limit as GCRA: so many at once, then one an interval.
     KEYS[1] STRING when the next one would be on schedule (µs)
     ARGV[1] interval (µs)      ARGV[2] how many at once
     ARGV[3] 'reading', which is not refused where Redis takes no writes, or 'writing'
     Returns 0 within the limit | microseconds until the next try is allowed ]]
local now = redis.call('TIME')
now = now[1] * 1000000 + now[2]
local interval = tonumber(ARGV[1])
local due = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local early = due + interval - now - interval * tonumber(ARGV[2])
if early > 0 then return early end
due = due + interval
local count = ARGV[3] == 'reading' and redis.pcall or redis.call
count('SET', KEYS[1], string.format('%.0f', due), 'PX', math.ceil((due - now) / 1000))
return 0
