--[[ store/timelines/read_important.lua — reads what is new on a home, for its reader to see in another
     order: a visit to the home like read_home.lua, which says what is new and what is remembered. Where
     all that is new stands on one page, this has shown it. Where it takes several, none of it counts:
     what an order scatters over a home is more than ranges hold, and what they give up nobody was
     shown. So it stays new. Where nothing is new, the newest of others are read.
     KEYS[1] ZSET home          KEYS[2] STRING active mark      KEYS[3] HASH reading
     KEYS[4] ZSET profile of the owner
     ARGV[1] as of when (ms), or 0: now         ARGV[2] how many are read at most
     ARGV[3] TTL of the mark (s)                ARGV[4] epoch of ids (ms)
     ARGV[5] how many statuses a page shows
     ARGV[6] 'visit', or 'glance' where nothing is counted as shown by this
     Returns {mark or false, as of when (ms), ids by others, newest first, how many are new};
     nothing is read where the mark is no floor ]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local first = ARGV[1] == '0'
local as_of = first and now or tonumber(ARGV[1])

local mark = redis.call('GET', KEYS[2])
if not mark or string.find(mark, 'building:', 1, true) then return {mark, as_of, {}, 0} end
local ttl, floor = tonumber(ARGV[3]), tonumber(mark)
if redis.call('TTL', KEYS[2]) < ttl - math.min(3600, ttl / 2) then redis.pcall('EXPIRE', KEYS[2], ttl) end

local head = tonumber(redis.call('ZRANGE', KEYS[1], 0, 0)[1] or 0)
local newest = math.max((now - tonumber(ARGV[4])) * 4096 + 4095, head)
local largest = first and newest or (as_of - tonumber(ARGV[4])) * 4096 + 4095
local held = redis.call('HMGET', KEYS[3], 'before', 'shown', 'at')
local idle = held[3] and now - tonumber(held[3])
local before, shown = seen_in_visit(held[1], held[2], idle, newest, floor)

-- Adds those that others wrote from one id down to another, so many in all.
local function add_others(ids, from, to, most)
  local own = redis.call('ZCOUNT', KEYS[4], from, to)
  local wanted = most - #ids + own
  local some = redis.call('ZRANGE', KEYS[1], from, to, 'BYSCORE', 'LIMIT', 0, wanted)
  local whose = #some > 0 and redis.call('ZMSCORE', KEYS[4], unpack(some))
  for i, id in ipairs(some) do
    if not whose[i] and #ids < most then ids[#ids + 1] = id end
  end
end

local ids, count, most, page = {}, 0, tonumber(ARGV[2]), tonumber(ARGV[5])
for i = #before + 1, 1, -1 do
  local above, below = before[i], before[i - 1]
  local from = string.format('%.0f', -(above and math.min(above[1] - 1, largest) or largest))
  local to = below and string.format('(-%.0f', below[2]) or '-0'
  local there = redis.call('ZCOUNT', KEYS[1], from, to)
  if there > 0 then
    count = count + math.max(there - redis.call('ZCOUNT', KEYS[4], from, to), 0)
    if #ids < most then add_others(ids, from, to, most) end
  end
end

local shows_all = first and count <= page
local known = not shows_all or range_with(shown, floor, math.max(floor, head))
if ARGV[6] == 'visit' and not (known and idle and idle < MINUTE_MS) then
  if shows_all then shown = cover(shown, 0, newest) end
  local seen_before, seen = texts_of(before, shown)
  redis.pcall('HSET', KEYS[3], 'before', seen_before, 'shown', seen, 'at', now)
end

if count == 0 and first then add_others(ids, '-inf', string.format('-%.0f', floor), page) end
return {mark, as_of, ids, count}
