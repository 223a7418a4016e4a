--[[ repair_reading.lua: repairs the stored reading position of a user. It keeps the possible ranges, and
     makes the shown ranges include those seen before. If one of the two texts has no valid range, it
     follows from the other. An impossible time is deleted.
     KEYS     reading (HASH)
     ARGV     now_ms, largest_id (that can have been drawn by now)
     Returns  'repaired' ]]
-- include: parse_ranges, add_range, format_seen
local reading = KEYS[1]
local now_ms, largest_id = unpack(ARGV)
local before_text, shown_text, at_text = unpack(redis.call('HMGET', reading, 'before', 'shown', 'at'))

-- Returns the valid ranges of a text, or false if there is none.
local function valid_ranges(text)
  if not text then return false end
  local ranges, is_valid = {}, text == ''
  for _, range in ipairs(parse_ranges(text)) do
    local low, high = range[1], math.min(range[2], tonumber(largest_id))
    if low <= high then ranges, is_valid = add_range(ranges, low, high), true end
  end
  return is_valid and ranges
end

local before, shown = valid_ranges(before_text), valid_ranges(shown_text)
if before or shown then
  local new_before_text, new_shown_text = format_seen(before or shown, shown or {})
  redis.call('HSET', reading, 'before', new_before_text, 'shown', new_shown_text)
else
  redis.call('HDEL', reading, 'before', 'shown')
end
local at = at_text and string.match(at_text, '^%d+$')
if not at or tonumber(at) > tonumber(now_ms) then redis.call('HDEL', reading, 'at') end
return 'repaired'
