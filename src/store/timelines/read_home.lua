--[[ store/timelines/read_home.lua — reads a part of a home with its mark and with what is new on it, and
     remembers what the page shows. A visit keeps the home active; the mark is touched once an hour
     at most, and what is remembered is written where the page shows something new and once a minute
     at most besides, so that reading is no write; and not at all where Redis takes no writes (a
     replica, a full disk), so that it can be read. A visit ends when home was not read for 15
     minutes: what it showed counts as seen from the next one on. Below the floor all counts as seen,
     and so does everything at the first visit of all. Own statuses are never new.
     KEYS[1] ZSET home          KEYS[2] STRING active mark      KEYS[3] HASH reading
     KEYS[4] ZSET profile of the owner   KEYS[5] STREAM arrivals
     ARGV[1] where to begin (exclusive score)   ARGV[2] how many ids: one more than the page lacks
     ARGV[3] TTL of the mark (s)                ARGV[4] id before which the page began, or 0
     ARGV[5] epoch of ids (ms)                  ARGV[6] how many statuses a page shows
     ARGV[7] 'visit', or 'glance' where nothing is counted as shown by this
     Returns {mark or false, ids with blanks between, newest first, ranges of ids seen before this visit
     or false, how many are new, the oldest of these or false, id before which the page with it begins
     or false, how long the same answer would be given if none of the keys changed (ms, mostly 0), the
     last arrival that the first page is up to, or false};
     nothing is known to be new where the mark is no floor ]]
local mark = redis.call('GET', KEYS[2])
local ids = redis.call('ZRANGE', KEYS[1], ARGV[1], '+inf', 'BYSCORE', 'LIMIT', 0, ARGV[2])
local text = table.concat(ids, ' ')
if not mark or string.find(mark, 'building:', 1, true) then return {mark, text, false, 0, false, false, 0, false} end
local ttl, floor = tonumber(ARGV[3]), tonumber(mark)
if redis.call('TTL', KEYS[2]) < ttl - math.min(3600, ttl / 2) then redis.pcall('EXPIRE', KEYS[2], ttl) end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local head = ARGV[1] == '-inf' and ids[1] or redis.call('ZRANGE', KEYS[1], 0, 0)[1]
local newest = math.max((now - tonumber(ARGV[5])) * 4096 + 4095, tonumber(head or 0))

-- What was seen before this visit, what it has shown, and when home was read last.
local held = redis.call('HMGET', KEYS[3], 'before', 'shown', 'at')
local idle = held[3] and now - tonumber(held[3])

-- How long nothing has to be remembered where this shows nothing new.
local holds = idle and math.max(0, math.min(MINUTE_MS - idle, MINUTE_MS)) or 0

-- Mostly home was read a moment ago, and all of it is seen and shown from its end to its head: then
-- there is nothing to find out and nothing to remember.
local began, wanted = tonumber(ARGV[4]), tonumber(ARGV[2])
local arrival = began == 0 and watch(KEYS[5])
local top = math.max(floor, tonumber(head or 0))
local function holds_all(text) return text and tonumber(string.match(text, '^0%-(%d+)$') or -1) >= top end
if wanted > 1 and holds > 0 and holds_all(held[1]) and holds_all(held[2]) then
  return {mark, text, held[1], 0, false, false, holds, arrival}
end

local before, shown = seen_in_visit(held[1], held[2], idle, newest, floor)

-- What this page shows: from where it began down to the last but one, or to the end of the home.
local high = began > 0 and math.min(began - 1, newest) or newest
local low = floor
if #ids >= wanted then low = tonumber(ids[wanted - 1] or string.match(ARGV[1], '%d+') or newest + 1) end
local known = low > high or range_with(shown, low, math.max(low, tonumber(ids[1] or 0)))
if not known then holds = 0 end
if ARGV[7] == 'visit' and holds == 0 then
  if low <= high then shown = cover(shown, low, high) end
  local seen_before, seen = texts_of(before, shown)
  redis.pcall('HSET', KEYS[3], 'before', seen_before, 'shown', seen, 'at', now)
end

-- The oldest in this gap that somebody else wrote.
local function oldest_between(first, last)
  local some = redis.call('ZRANGE', KEYS[1], first, last, 'BYSCORE', 'REV', 'LIMIT', 0, 100)
  local own = redis.call('ZMSCORE', KEYS[4], unpack(some))
  for i, id in ipairs(some) do
    if not own[i] then return id end
  end
end

local count, oldest, first = 0, false, '-0'
for i = 1, #before + 1 do
  local range = before[i]
  local last = range and string.format('(-%.0f', range[1]) or '-inf'
  local there = redis.call('ZCOUNT', KEYS[1], last, first)
  if there > 0 then
    local new = math.max(there - redis.call('ZCOUNT', KEYS[4], last, first), 0)
    if new > 0 then oldest = oldest or oldest_between(first, last) or false end
    count = count + new
  end
  first = range and string.format('(-%.0f', range[2])
end

local page = false
if oldest then
  local size = tonumber(ARGV[6])
  local pages = math.floor(redis.call('ZRANK', KEYS[1], oldest) / size)
  if pages > 0 then page = redis.call('ZRANGE', KEYS[1], pages * size - 1, pages * size - 1)[1] end
end
return {mark, text, text_of(before), count, oldest, page, holds, arrival}
