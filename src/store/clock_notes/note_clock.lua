--[[ note_clock.lua: notes the time of this Redis, and since when its clock has run without a jump. A jump is a difference
     to the last note of more than one of the limits.
     KEYS     clock (HASH)
     ARGV     max_forwards_ms, max_backwards_ms
     Returns  {'steady' | 'jumped' (since the last note), now (ms), the last note (ms), since (ms; 0 at the first note)} ]]
-- flags: allow-oom
local clock = KEYS[1]
local max_forwards_ms, max_backwards_ms = unpack(ARGV)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local seen, since = unpack(redis.call('HMGET', clock, 'seen', 'since'))
seen, since = tonumber(seen) or now, tonumber(since) or 0
local has_jumped = now - seen > tonumber(max_forwards_ms) or seen - now > tonumber(max_backwards_ms)
if has_jumped then since = now end
local function text(ms) return string.format('%.0f', ms) end
redis.call('HSET', clock, 'seen', text(now), 'since', text(since))
return {has_jumped and 'jumped' or 'steady', text(now), text(seen), text(since)}
