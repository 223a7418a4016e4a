--[[ reading.lua: the ranges of ids that a reader has seen. ]]

-- Parses ranges of ids that a reader has seen: 'low-high,low-high', ascending. Every other id is new. A range
-- keeps its text as long as its bounds stay, because formatting them takes longer.
local function parse_ranges(text)
  local ranges = {}
  for range, low, high in string.gmatch(text, '((%d+)-(%d+))') do
    ranges[#ranges + 1] = {tonumber(low), tonumber(high), range}
  end
  return ranges
end

-- Formats at most 24 ranges. Beyond that it merges the lowest ones: new ids between them count as seen.
local function format_ranges(ranges)
  while #ranges > 24 do
    local lowest = table.remove(ranges, 1)
    ranges[1] = {lowest[1], ranges[1][2]}
  end
  local parts = {}
  for i, range in ipairs(ranges) do parts[i] = range[3] or string.format('%.0f-%.0f', range[1], range[2]) end
  return table.concat(parts, ',')
end

-- Returns the ranges with one more range, merged with those that it touches.
local function add_range(ranges, low, high)
  local result, at = {}, 1
  for _, range in ipairs(ranges) do
    if range[2] + 1 < low then
      result[#result + 1] = range
      at = #result + 1
    elseif range[1] > high + 1 then
      result[#result + 1] = range
    else
      low, high = math.min(low, range[1]), math.max(high, range[2])
    end
  end
  table.insert(result, at, {low, high})
  return result
end

-- Returns the union of two lists of ranges, in one pass over both. Ranges that touch are merged.
local function union_ranges(one, other)
  local result, i, j = {}, 1, 1
  while one[i] or other[j] do
    local range
    if not other[j] or one[i] and one[i][1] <= other[j][1] then
      range, i = one[i], i + 1
    else
      range, j = other[j], j + 1
    end
    local last = result[#result]
    if last and range[1] <= last[2] + 1 then
      if range[2] > last[2] then last[2], last[3] = range[2], nil end
    else
      result[#result + 1] = {range[1], range[2], range[3]}
    end
  end
  return result
end

-- Formats the ranges seen before a visit, and those shown by now. The shown ranges include the former,
-- as merged by format_ranges.
-- include: format_ranges, union_ranges
local function format_seen(before, shown)
  local text = format_ranges(before)
  return text, format_ranges(union_ranges(before, shown))
end

-- Returns the index of the range that contains all ids from low to high.
local function find_range(ranges, low, high)
  for i, range in ipairs(ranges) do
    if range[1] <= low and high <= range[2] then return i end
  end
end

-- Removes one id from the ranges. Returns whether it was in one.
-- include: find_range
local function remove_id(ranges, id)
  local at = find_range(ranges, id, id)
  if not at then return false end
  local low, high = unpack(table.remove(ranges, at))
  if id < high then table.insert(ranges, at, {id + 1, high}) end
  if low < id then table.insert(ranges, at, {low, id - 1}) end
  return true
end

-- Marks a status as unseen that arrived late, among ids that its reader has seen.
-- include: parse_ranges, remove_id, format_seen
local function mark_unseen(reading, id)
  local shown_text = redis.call('HGET', reading, 'shown')
  local highest = shown_text and string.match(shown_text, '%d+$')
  if not highest or id > tonumber(highest) then return end
  local before, shown = parse_ranges(redis.call('HGET', reading, 'before') or ''), parse_ranges(shown_text)
  local was_before, was_shown = remove_id(before, id), remove_id(shown, id)
  if not was_before and not was_shown then return end
  local before_text, new_shown_text = format_seen(before, shown)
  redis.call('HSET', reading, 'before', before_text, 'shown', new_shown_text)
end

-- A visit ends after this time without a read (ms). A visit that shows nothing new is stored at most once
-- in this interval (ms).
local VISIT_MS, MINUTE_MS = 15 * 60000, 60000

-- Returns the ranges seen before this visit of a home, and those shown by now. The texts are the stored
-- ranges, and idle is the time since the last read (ms, or nil). Newest is the largest possible id: the
-- first visit ever counts everything as seen. So does every visit below the floor.
-- include: VISIT_MS, parse_ranges, add_range
local function seen_in_visit(before_text, shown_text, idle, newest, floor)
  local shown = shown_text and parse_ranges(shown_text) or {{0, newest}}
  local before = before_text and idle and idle < VISIT_MS and parse_ranges(before_text) or shown
  if floor > 0 then before, shown = add_range(before, 0, floor - 1), add_range(shown, 0, floor - 1) end
  return before, shown
end
