--[[ read_important.lua: reads the new statuses of a home, which its reader sees ranked by importance. This
     is a visit of the home like read_home.lua, which defines the new statuses and the reading position.
     If one page holds all new statuses, they count as shown. If they take several pages, none of them
     counts: a ranked page is scattered over the home, and the stored ranges could not hold it. So they
     stay new. If no status is new, the newest statuses of others are read.
     KEYS     home (ZSET), active_mark (STRING), reading (HASH), profile (ZSET, of the owner), muted (ZSET),
              muted_texts (ZSET)
     ARGV     as_of_ms (time of the first page, or 0 for now), max_ids (a reader who mutes anything gets all; 0 for the
              newest statuses although some are new), max_seen_ids (maximum of the newest statuses), mark_ttl_s, epoch_ms (of ids), page_size,
              mode ('' | 'prefetch': marks nothing as shown)
     Returns  {mark or false, as_of (ms), ids of others, newest first, number of new statuses};
              nothing is read while there is no floor ]]
-- include: MINUTE_MS, seen_in_visit, find_range, add_range, format_seen, scores_of
local home, active_mark, reading, profile, muted, muted_texts = unpack(KEYS)
local as_of_ms, max_ids, max_seen_ids, mark_ttl_s, epoch_ms, page_size, mode = unpack(ARGV)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local is_first = as_of_ms == '0'
local as_of = is_first and now or tonumber(as_of_ms)

local mark = redis.call('GET', active_mark)
if not mark or string.find(mark, 'building:', 1, true) then return {mark, as_of, {}, 0} end
local ttl, floor = tonumber(mark_ttl_s), tonumber(mark)
if redis.call('TTL', active_mark) < ttl - math.min(3600, ttl / 2) then redis.pcall('EXPIRE', active_mark, ttl) end

local head = tonumber(redis.call('ZRANGE', home, 0, 0)[1] or 0)
local newest = math.max((now - tonumber(epoch_ms)) * 4096 + 4095, head)
local largest = is_first and newest or (as_of - tonumber(epoch_ms)) * 4096 + 4095
local before_text, shown_text, at = unpack(redis.call('HMGET', reading, 'before', 'shown', 'at'))
local idle = at and now - tonumber(at)
local before, shown = seen_in_visit(before_text, shown_text, idle, newest, floor)

-- Appends the ids of others in a range of scores, up to the maximum.
local function add_others(ids, from, to, max)
  local own_count = redis.call('ZCOUNT', profile, from, to)
  local wanted = max - #ids + own_count
  local candidates = redis.call('ZRANGE', home, from, to, 'BYSCORE', 'LIMIT', 0, wanted)
  local own = scores_of(profile, candidates)
  for i, id in ipairs(candidates) do
    if not own[i] and #ids < max then ids[#ids + 1] = id end
  end
end

local ids, new_count, max, size = {}, 0, tonumber(max_ids), tonumber(page_size)
if max > 0 and redis.call('EXISTS', muted, muted_texts) > 0 then max = math.max(max, redis.call('ZCARD', home)) end
for i = #before + 1, 1, -1 do
  local above, below = before[i], before[i - 1]
  local from = string.format('%.0f', -(above and math.min(above[1] - 1, largest) or largest))
  local to = below and string.format('(-%.0f', below[2]) or '-0'
  local all = redis.call('ZCOUNT', home, from, to)
  if all > 0 then
    new_count = new_count + math.max(all - redis.call('ZCOUNT', profile, from, to), 0)
    if #ids < max then add_others(ids, from, to, max) end
  end
end

local shows_all = is_first and new_count <= size
local is_known = not shows_all or find_range(shown, floor, math.max(floor, head))
if mode ~= 'prefetch' and not (is_known and idle and idle >= 0 and idle < MINUTE_MS) then
  if shows_all then shown = add_range(shown, 0, newest) end
  local new_before_text, new_shown_text = format_seen(before, shown)
  redis.pcall('HSET', reading, 'before', new_before_text, 'shown', new_shown_text, 'at', now)
end

if is_first and (new_count == 0 or max_ids == '0') then
  max = tonumber(max_seen_ids)
  add_others(ids, '-inf', string.format('-%.0f', floor), max)
end
return {mark, as_of, ids, new_count}
