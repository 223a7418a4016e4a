--[[ store/snapshot/repair_reading.lua — puts what is remembered of a person's reading in order: keeps the
     ranges that it names, where they can be, and lets what was shown cover what was seen before. Of
     the two one that names no range at all follows from the other; a time that cannot be goes.
     KEYS[1] HASH reading       ARGV[1] now (ms)   ARGV[2] the largest id that is drawn by now
     Returns 1 ]]
local held = redis.call('HMGET', KEYS[1], 'before', 'shown', 'at')

-- The ranges that a text names, or false where there is none.
local function named(text)
  if not text then return false end
  local ranges, some = {}, text == ''
  for _, range in ipairs(ranges_of(text)) do
    local low, high = range[1], math.min(range[2], tonumber(ARGV[2]))
    if low <= high then ranges, some = cover(ranges, low, high), true end
  end
  return some and ranges
end

local before, shown = named(held[1]), named(held[2])
if before or shown then
  local seen_before, seen = texts_of(before or shown, shown or {})
  redis.call('HSET', KEYS[1], 'before', seen_before, 'shown', seen)
else
  redis.call('HDEL', KEYS[1], 'before', 'shown')
end
local at = held[3] and string.match(held[3], '^%d+$')
if not at or tonumber(at) > tonumber(ARGV[1]) then redis.call('HDEL', KEYS[1], 'at') end
return 1
