--[[ read_home.lua: reads a part of a home with its mark and with the number of new statuses, and stores
     the part that the page shows. A visit keeps the home active. Most reads write nothing: the mark is
     touched at most once an hour; the reading position is stored if the page shows something new, else
     at most once a minute. Where Redis takes no writes (a replica, a full disk), the read still works.
     A visit ends 15 minutes after the last read. The statuses that it showed count as seen from the next
     visit on. All statuses below the floor count as seen, and all statuses at the first visit ever. The
     owner's own statuses are never new.
     KEYS     home (ZSET), active_mark (STRING), reading (HASH), profile (ZSET, of the owner),
              arrivals (STREAM)
     ARGV     from_score (exclusive), id_count (one more than the page lacks), further_count (of ids to return
              after these, not shown), mark_ttl_s, began_before (id before which the page began, or 0),
              epoch_ms (of ids), page_size, mode ('' | 'prefetch': marks nothing as shown)
     Returns  {mark or false, ids separated by spaces, newest first, ranges of ids seen before this visit
              or false, number of new statuses, the oldest new one or false, id before which its page
              begins or false, time for which this reply stays right if no key changes (ms, usually 0),
              the last arrival that the first page includes or false};
              nothing counts as new while there is no floor ]]
-- include: MINUTE_MS, watch_arrivals, seen_in_visit, find_range, add_range, format_ranges, format_seen, scores_of
local home, active_mark, reading, profile, arrivals = unpack(KEYS)
local from_score, id_count, further_count, mark_ttl_s, began_before, epoch_ms, page_size, mode = unpack(ARGV)
local mark = redis.call('GET', active_mark)
local ids = redis.call('ZRANGE', home, from_score, '+inf', 'BYSCORE', 'LIMIT', 0, id_count + further_count)
local text = table.concat(ids, ' ')
if not mark or string.find(mark, 'building:', 1, true) then return {mark, text, false, 0, false, false, 0, false} end
local ttl, floor = tonumber(mark_ttl_s), tonumber(mark)
if redis.call('TTL', active_mark) < ttl - math.min(3600, ttl / 2) then redis.pcall('EXPIRE', active_mark, ttl) end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local head = from_score == '-inf' and ids[1] or redis.call('ZRANGE', home, 0, 0)[1]
local newest = math.max((now - tonumber(epoch_ms)) * 4096 + 4095, tonumber(head or 0))

-- The ranges seen before this visit, the ranges shown by now, and the time since the last read.
local before_text, shown_text, at = unpack(redis.call('HMGET', reading, 'before', 'shown', 'at'))
local idle = at and now - tonumber(at)

-- For this time nothing must be stored unless the page shows something new. A read in the future was
-- stored before the clock was set back.
local holds = idle and idle >= 0 and math.max(0, MINUTE_MS - idle) or 0

-- Usually the home was read a moment ago, and all of it counts as seen and shown. Then there is nothing
-- to count and nothing to store.
local began, wanted = tonumber(began_before), tonumber(id_count)
local arrival = began == 0 and watch_arrivals(arrivals)
local top = math.max(floor, tonumber(head or 0))
local function covers_all(ranges)
  return ranges and tonumber(string.match(ranges, '^0%-(%d+)$') or -1) >= top
end
if wanted > 1 and holds > 0 and covers_all(before_text) and covers_all(shown_text) then
  return {mark, text, before_text, 0, false, false, holds, arrival}
end

local before, shown = seen_in_visit(before_text, shown_text, idle, newest, floor)

-- The page shows the ids from its beginning down to the last id but one, or to the end of the home.
local high = began > 0 and math.min(began - 1, newest) or newest
local low = floor
if #ids >= wanted then low = tonumber(ids[wanted - 1] or string.match(from_score, '%d+') or newest + 1) end
local is_known = low > high or find_range(shown, low, math.max(low, tonumber(ids[1] or 0)))
if not is_known then holds = 0 end
if mode ~= 'prefetch' and holds == 0 then
  if low <= high then shown = add_range(shown, low, high) end
  local new_before_text, new_shown_text = format_seen(before, shown)
  redis.pcall('HSET', reading, 'before', new_before_text, 'shown', new_shown_text, 'at', now)
end

-- Returns the oldest status in a gap that another user wrote.
local function oldest_between(first, last)
  local gap = redis.call('ZRANGE', home, first, last, 'BYSCORE', 'REV', 'LIMIT', 0, 100)
  local own = scores_of(profile, gap)
  for i, id in ipairs(gap) do
    if not own[i] then return id end
  end
end

local new_count, oldest, first = 0, false, '-0'
for i = 1, #before + 1 do
  local range = before[i]
  local last = range and string.format('(-%.0f', range[1]) or '-inf'
  local all = redis.call('ZCOUNT', home, last, first)
  if all > 0 then
    local new = math.max(all - redis.call('ZCOUNT', profile, last, first), 0)
    if new > 0 then oldest = oldest or oldest_between(first, last) or false end
    new_count = new_count + new
  end
  first = range and string.format('(-%.0f', range[2])
end

local page = false
if oldest then
  local size = tonumber(page_size)
  local pages = math.floor(redis.call('ZRANK', home, oldest) / size)
  if pages > 0 then page = redis.call('ZRANGE', home, pages * size - 1, pages * size - 1)[1] end
end
return {mark, text, format_ranges(before), new_count, oldest, page, holds, arrival}
