--[[ store/live/read_live.lua — reads what an open stream tells its page, if the session that
     opened it still stands: how many statuses came to the home since the page was made and are on it
     still, the counts beside it, and how many notifications are unread. Watching keeps the log of
     arrivals going. Where the log does not reach back to the page, statuses of others count that were
     written since.
     KEYS[1] STREAM arrivals    KEYS[2] ZSET home          KEYS[3] STRING active mark
     KEYS[4] ZSET profile of the owner   KEYS[5] HASH user   KEYS[6] STRING session   KEYS[7] HASH auth
     KEYS[8] ZSET notifications          KEYS[9] HASH read_marker
     ARGV[1] epoch of the session        ARGV[2] epoch of ids (ms)
     ARGV[3] ARGV[4] the arrival that the page is up to (ms and number), or '' where it shows no home
     Returns {} the session is over | {{posts, followers, following, unread notifications}, the last
     arrival, how many are new, 'exactly' or 'about'}: nothing but the counts where the page shows no
     home, while the home is being built, and where Redis takes no writes ]]
if redis.call('EXISTS', KEYS[6]) == 0 then return {} end
if redis.call('HGET', KEYS[7], 'epoch') ~= ARGV[1] then return {} end
local counts = redis.call('HMGET', KEYS[5], 'posts', 'followers', 'following')
counts[4] = unread(KEYS[8], KEYS[9])
local last = watch(KEYS[1])
local mark = redis.call('GET', KEYS[3]) or ''
if ARGV[3] == '' or not last or string.find(mark, 'building:', 1, true) then return {counts} end

-- Whether the log holds all that came after the page: the page is up to one of its entries, or to
-- one between them.
local since = {tonumber(ARGV[3]), tonumber(ARGV[4])}
local function reaches(entry, other)
  local ms, number = string.match(entry, '^(%d+)-(%d+)$')
  ms, number = tonumber(ms), tonumber(number)
  return ms < other[1] or ms == other[1] and number <= other[2]
end
local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1][1]
local from = ARGV[3] .. '-' .. ARGV[4]
if mark ~= '' and reaches(first, since) and (last == from or not reaches(last, since)) then
  local ids, met = {}, {}
  for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '(' .. from, '+')) do
    local id = entry[2][2]
    if not met[id] then ids[#ids + 1] = id end
    met[id] = true
  end
  local new = 0
  if #ids > 0 then
    for _, there in ipairs(redis.call('ZMSCORE', KEYS[2], unpack(ids))) do
      if there then new = new + 1 end
    end
  end
  return {counts, last, new, 'exactly'}
end

local since_id = string.format('(-%.0f', math.max((since[1] - tonumber(ARGV[2])) * 4096, 0))
if since[1] == 0 then return {counts, last, 0, 'about'} end
local written = redis.call('ZCOUNT', KEYS[2], '-inf', since_id)
  - redis.call('ZCOUNT', KEYS[4], '-inf', since_id)
return {counts, last, math.max(written, 0), 'about'}
