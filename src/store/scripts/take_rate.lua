--[[ store/scripts/take_rate.lua — a rate limit as GCRA: so many at once, then one an interval.
     KEYS[1] STRING when the next one would be on schedule (µs)
     ARGV[1] interval (µs)      ARGV[2] how many at once
     Returns 0 within the limit | microseconds until the next try is allowed ]]
local now = redis.call('TIME')
now = now[1] * 1000000 + now[2]
local interval = tonumber(ARGV[1])
local due = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local early = due + interval - now - interval * tonumber(ARGV[2])
if early > 0 then return early end
due = due + interval
redis.call('SET', KEYS[1], string.format('%.0f', due), 'PX', math.ceil((due - now) / 1000))
return 0
