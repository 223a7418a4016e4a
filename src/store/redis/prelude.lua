--[[ store/redis/prelude.lua — what every script starts with. ]]

-- A call that comes after its deadline (ms on this Redis' clock) writes nothing.
local function late(deadline)
  local now = redis.call('TIME')
  return now[1] * 1000 + math.floor(now[2] / 1000) > tonumber(deadline)
end

local LATE = 'LATE the deadline of this call has passed'

-- Whether the session that asks is over: its epoch is not its person's any more. With '' no session
-- asks.
local function ended(auth, epoch)
  return epoch ~= '' and redis.call('HGET', auth, 'epoch') ~= epoch
end

-- Tells whoever watches a person, in whichever process, that something of theirs changed; what it is
-- they read. Where Redis lets us publish nothing, they find it at their next look.
local function announce(live)
  redis.pcall('SPUBLISH', live, 'changed')
end

-- The same where it may go unsaid as nobody has read that home, or watched it, for long.
local function tell(arrivals, live)
  if redis.call('EXISTS', arrivals) == 1 then announce(live) end
end

-- Arrivals are kept so long after their home was read or watched last (s), and so many of them.
local WATCHED_S, ARRIVALS = 3600, 200

-- Notes a status that has just come to a home, where anybody may be watching it.
local function arrive(arrivals, live, id)
  if redis.call('EXISTS', arrivals) == 0 then return end
  redis.call('XADD', arrivals, 'MAXLEN', ARRIVALS, '*', 'status', id)
  announce(live)
end

-- Keeps the log of arrivals going, and gives the id of its last entry: whoever reads the home in the
-- same step is up to there. It begins with an entry that is no arrival. False where there is no log
-- and Redis takes no writes.
local function watch(arrivals)
  local last = redis.call('XREVRANGE', arrivals, '+', '-', 'COUNT', 1)[1]
  if last then
    if redis.call('TTL', arrivals) < WATCHED_S / 2 then redis.pcall('EXPIRE', arrivals, WATCHED_S) end
    return last[1]
  end
  local begun = redis.pcall('XADD', arrivals, '*', 'begun', 1)
  if type(begun) == 'table' then return false end
  redis.call('EXPIRE', arrivals, WATCHED_S)
  return begun
end

-- A call that finds its work done writes it once more: replicas may not have it yet, and WAIT waits
-- only for what its own connection wrote.
local function confirm(key, field)
  local held = redis.call('HGET', key, field)
  if held then redis.call('HSET', key, field, held) end
end

-- Whether a status is there and was not deleted.
local function lives(status)
  local held = redis.call('HMGET', status, 'uid', 'deleted')
  return held[1] and not held[2]
end

-- How many options of a poll one person can choose ('one' or 'several'), for how many hours, and how
-- many there are. Nothing where there is no poll.
local function poll_of(text)
  local choice, hours, options = string.match(text or '', '^(%a+) (%d+)(.*)$')
  if not choice then return end
  local _, count = string.gsub(options, '\n', '')
  return choice, tonumber(hours), count
end

-- What the ballots of a poll come to: how many people voted and how many chose each option, one blank
-- between the numbers. A ballot's score is the sum of 1, 2, 4 and 8, one for each option.
local function tally_of(ballots, options)
  local counts = {redis.call('ZCARD', ballots)}
  for option = 1, options do counts[option + 1] = 0 end
  for chosen = 1, 2 ^ options - 1 do
    local votes = redis.call('ZCOUNT', ballots, chosen, chosen)
    for option = 1, options do
      if math.floor(chosen / 2 ^ (option - 1)) % 2 == 1 then
        counts[option + 1] = counts[option + 1] + votes
      end
    end
  end
  return table.concat(counts, ' ')
end

-- Draws a status id above a person's last, which it becomes, and above another id. A last id above
-- which there is none is corrupt and does not count.
local function draw_id(key, random_bits, epoch_ms, above)
  local now = redis.call('TIME')
  local ms = now[1] * 1000 + math.floor(now[2] / 1000) - tonumber(epoch_ms)
  local last = tonumber(redis.call('HGET', key, 'last') or 0)
  if last >= 9007199254740991 then last = 0 end
  last = math.max(last, tonumber(above))
  local id = string.format('%.0f', math.max(ms * 4096 + tonumber(random_bits), last + 1))
  redis.call('HSET', key, 'last', id)
  return id
end

-- Sets how many answers a status has, and how many gaps among them, where it lives. Says whether it does.
local function count_answers(status, answers, gaps)
  if not lives(status) then return false end
  redis.call('HSET', status, 'replies', redis.call('ZCARD', answers), 'gaps', redis.call('ZCARD', gaps))
  return true
end

-- Microseconds that are larger than every score in a ZSET: unique, and newest last.
local function next_score(key)
  local now = redis.call('TIME')
  local score = now[1] * 1000000 + now[2]
  local last = redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')
  if last[2] and tonumber(last[2]) >= score then score = tonumber(last[2]) + 1 end
  return string.format('%.0f', score)
end

-- A day (s), and the first id of a status that can have been drawn since a day ago.
local DAY_S = 86400
local function a_day_ago(epoch_ms)
  local ms = (redis.call('TIME')[1] - DAY_S) * 1000 - tonumber(epoch_ms)
  return string.format('%.0f', ms * 4096)
end

-- Up to which score (µs) a person has read what they were told.
local function read_up_to(read_marker)
  return tonumber(redis.call('HGET', read_marker, 'read') or 0)
end

-- Takes the oldest notifications out, so that so many are left: of those that are told, and of those
-- that were retracted, which stand before them with their scores negated.
local function trim_log(log, kept)
  kept = tonumber(kept)
  local retracted = redis.call('ZCOUNT', log, '-inf', '(0')
  local told = redis.call('ZCARD', log) - retracted
  if told > kept then redis.call('ZREMRANGEBYRANK', log, retracted, retracted + told - kept - 1) end
  if retracted > kept then redis.call('ZREMRANGEBYRANK', log, kept, retracted - 1) end
end

-- Tells a person of something that happened at that time (µs), and says whether this is news. What
-- they were told stands where it stood, and what was retracted after they had read it comes back there.
-- Where as many are kept as can be, what happened before the oldest of them is not told: it may have
-- been, and gone. What is new is newer than all that was read.
local function notify(log, read_marker, kept, what, at)
  local held = tonumber(redis.call('ZSCORE', log, what) or 0)
  if held > 0 then return false end
  if held < 0 then
    redis.call('ZADD', log, string.format('%.0f', -held), what)
    trim_log(log, kept)
    return false
  end
  if redis.call('ZCOUNT', log, '(0', '+inf') >= tonumber(kept) then
    local oldest = redis.call('ZRANGE', log, '(0', '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')[2]
    if tonumber(at) < tonumber(oldest) then return false end
  end
  local score = math.max(tonumber(next_score(log)), read_up_to(read_marker) + 1)
  redis.call('ZADD', log, string.format('%.0f', score), what)
  trim_log(log, kept)
  return true
end

-- Takes something back that a person was told, as it was retracted, and says whether they were told.
-- What they have read stays known by its negated score, out of their sight, so that it is no news when
-- it is done again.
local function undo(log, read_marker, kept, what)
  local held = tonumber(redis.call('ZSCORE', log, what) or 0)
  if held <= 0 then return false end
  if held > read_up_to(read_marker) then
    redis.call('ZREM', log, what)
  else
    redis.call('ZADD', log, string.format('%.0f', -held), what)
    trim_log(log, kept)
  end
  return true
end

-- How many notifications a person has not read.
local function unread(log, read_marker)
  return redis.call('ZCOUNT', log, string.format('(%.0f', read_up_to(read_marker)), '+inf')
end

-- Takes all back that a person was told about a status.
local function forget_status(log, id)
  local cursor, about = '0', {}
  repeat
    local found = redis.call('ZSCAN', log, cursor, 'MATCH', '*:' .. id .. ':*', 'COUNT', 1000)
    cursor = found[1]
    for i = 1, #found[2], 2 do about[#about + 1] = found[2][i] end
  until cursor == '0'
  if #about > 0 then redis.call('ZREM', log, unpack(about)) end
end

-- The floor that an active mark names, and whether its timeline is being built.
local function floor_of(mark)
  local token, floor = string.match(mark, '^building:(%x+):(%d+)$')
  if token then return tonumber(floor), token end
  return tonumber(mark)
end

-- Names a new floor in the mark, keeping its token and its TTL.
local function raise_floor(active, floor)
  local mark = redis.call('GET', active)
  if not mark then return end
  local current, token = floor_of(mark)
  if floor <= current then return end
  local text = string.format('%.0f', floor)
  if token then text = 'building:' .. token .. ':' .. text end
  redis.call('SET', active, text, 'KEEPTTL')
end

-- Trims a timeline that is 24 over its size, and raises the floor to the last id kept.
local function trim(timeline, active, size)
  if redis.call('ZCARD', timeline) < size + 24 then return end
  redis.call('ZREMRANGEBYRANK', timeline, size, -1)
  local last = redis.call('ZRANGE', timeline, -1, -1)
  raise_floor(active, tonumber(last[1]))
end

-- A floor for which a rebuild found so few that another one would find no more: with a 0 before it,
-- until it rises.
local function final_floor(floor)
  return string.format('0%.0f', floor)
end

-- Whether fewer than that stand on a timeline above a floor. One that is complete, dormant or being
-- built is not short, nor one whose floor is final.
local function is_short(timeline, active, few)
  local mark = redis.call('GET', active)
  if not mark or string.sub(mark, 1, 1) == '0' then return false end
  local _, token = floor_of(mark)
  return not token and redis.call('ZCARD', timeline) < tonumber(few)
end

-- Where a status comes from, read from its header: author, whom it answers, whose it reposts ('0':
-- nobody), tags.
local function header_of(text)
  local author, answered, reposted, tags = string.match(text, '^(%d+) (%d+) (%d+)(.*)$')
  return {author = author, answered = answered, reposted = reposted, tags = tags}
end

-- Whether a status of that header belongs on a timeline: the same as domain::Sources::belongs
-- says, which tells the rules. The keys are the timeline, its sources, and of a home whom exclusive
-- lists keep out, whose reposts are not wanted and which tags are.
local function belongs(timeline, sources, excluded, hidden_reposts, tags, status)
  local author, answered, reposted = status.author, status.answered, status.reposted
  local owner = string.match(timeline, '{(%d+)')
  if excluded then
    if author == owner then return true end
    if redis.call('ZSCORE', excluded, author) then return false end
  end
  if reposted == owner then return false end
  if redis.call('ZSCORE', sources, author)
    and (answered == '0' or answered == owner or answered == author or redis.call('ZSCORE', sources, answered))
    and not (hidden_reposts and reposted ~= '0' and redis.call('ZSCORE', hidden_reposts, author)) then return true end
  if not tags or status.tags == '' or answered ~= '0' or reposted ~= '0' then return false end
  for tag in string.gmatch(status.tags, '%S+') do
    if redis.call('ZSCORE', tags, tag) then return true end
  end
  return false
end

-- Counts one exclusive list more or less that holds somebody. Nobody keeps themself out.
local function keep_out(excluded, owner, member, by)
  if member == owner then return end
  local lists = redis.call('ZINCRBY', excluded, by, member)
  if tonumber(lists) <= 0 then redis.call('ZREM', excluded, member) end
end

-- Takes a home away whose sources changed: it is built anew at the next visit.
local function drop_home(home, active)
  redis.call('UNLINK', home)
  redis.call('DEL', active)
end

-- Whether what `lists` holds of a list says that it is exclusive.
local function is_exclusive(held)
  return string.sub(held, 1, 2) == '1:'
end

-- Ranges of ids, 'low-high,low-high' in ascending order: what a reader has seen. An id between two
-- of them or above the last is new.
local function ranges_of(text)
  local ranges = {}
  for low, high in string.gmatch(text, '(%d+)-(%d+)') do
    ranges[#ranges + 1] = {tonumber(low), tonumber(high)}
  end
  return ranges
end

-- The text of ranges, of which there are 24 at most: what is new between the lowest is given up.
local function text_of(ranges)
  while #ranges > 24 do
    local lowest = table.remove(ranges, 1)
    ranges[1] = {lowest[1], ranges[1][2]}
  end
  local parts = {}
  for i, range in ipairs(ranges) do parts[i] = string.format('%.0f-%.0f', range[1], range[2]) end
  return table.concat(parts, ',')
end

-- The ranges with one more, which becomes one with those that it meets.
local function cover(ranges, low, high)
  local covered, at = {}, 1
  for _, range in ipairs(ranges) do
    if range[2] + 1 < low then
      covered[#covered + 1] = range
      at = #covered + 1
    elseif range[1] > high + 1 then
      covered[#covered + 1] = range
    else
      low, high = math.min(low, range[1]), math.max(high, range[2])
    end
  end
  table.insert(covered, at, {low, high})
  return covered
end

-- The texts of what was seen before a visit and of what it has shown. That covers the former: what is
-- given up of the one is of the other as well.
local function texts_of(before, shown)
  local text = text_of(before)
  for _, range in ipairs(before) do shown = cover(shown, range[1], range[2]) end
  return text, text_of(shown)
end

-- Which of the ranges holds all from one id to another.
local function range_with(ranges, low, high)
  for i, range in ipairs(ranges) do
    if range[1] <= low and high <= range[2] then return i end
  end
end

-- Takes one id out of the ranges. Says whether it was in one.
local function uncover(ranges, id)
  local at = range_with(ranges, id, id)
  if not at then return false end
  local low, high = unpack(table.remove(ranges, at))
  if id < high then table.insert(ranges, at, {id + 1, high}) end
  if low < id then table.insert(ranges, at, {low, id - 1}) end
  return true
end

-- Lets a status that came late be new, though it stands among what its reader has seen. What pages
-- have shown covers what was seen before.
local function unsee(reading, id)
  local held = redis.call('HGET', reading, 'shown')
  local highest = held and string.match(held, '%d+$')
  if not highest or id > tonumber(highest) then return end
  local before, shown = ranges_of(redis.call('HGET', reading, 'before') or ''), ranges_of(held)
  local was_before, was_shown = uncover(before, id), uncover(shown, id)
  if not was_before and not was_shown then return end
  local seen_before, seen = texts_of(before, shown)
  redis.call('HSET', reading, 'before', seen_before, 'shown', seen)
end

-- How long a reader's home may go unread in one visit, and how often a visit is written down at most
-- where it shows nothing new (ms).
local VISIT_MS, MINUTE_MS = 15 * 60000, 60000

-- What was seen before the visit in which a home is read, and what it has shown. Held is what is
-- remembered of both, and it is so long since the home was read (ms, or nil). Newest is the largest id
-- that can be: a first visit of all takes everything for seen, and so does each below the floor.
local function seen_in_visit(before_held, shown_held, idle, newest, floor)
  local shown = shown_held and ranges_of(shown_held) or {{0, newest}}
  local before = before_held and idle and idle < VISIT_MS and ranges_of(before_held) or shown
  if floor > 0 then before, shown = cover(before, 0, floor - 1), cover(shown, 0, floor - 1) end
  return before, shown
end

-- The lower bound of the chunk of a term's postings that holds ids like this one.
local function bound_for(bounds, id)
  return redis.call('ZRANGE', bounds, '-' .. id, '+inf', 'BYSCORE', 'LIMIT', 0, 1)[1] or '0'
end

-- Keeps what somebody or something is still found by, until the index has changed.
local function keep_former(key, text)
  local former = redis.call('HGET', key, 'former')
  redis.call('HSET', key, 'former', former and text .. '\n' .. former or text)
end

-- Lets a chunk of postings that is empty be none any more: what it would hold belongs to the one below.
local function drop_bound(bounds, chunk, bound)
  if bound == '0' or redis.call('EXISTS', chunk) == 1 then return 0 end
  local dropped = redis.call('ZREM', bounds, bound)
  if redis.call('ZCARD', bounds) == 1 then redis.call('ZREM', bounds, '0') end
  return dropped
end
