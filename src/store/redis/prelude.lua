--[[ prelude.lua: functions and constants that scripts share, in pieces between blank lines. A script or
     piece names the pieces that it uses in its line `-- include: …`. A piece uses only pieces above. ]]

-- Says whether a call arrives after its deadline (ms on this Redis' clock). A late call writes nothing.
local LATE = 'LATE the deadline of this call has passed'
local function late(deadline_ms)
  local now = redis.call('TIME')
  return now[1] * 1000 + math.floor(now[2] / 1000) > tonumber(deadline_ms)
end

-- Says whether the session of a request has ended: its epoch is no longer the user's epoch. The epoch
-- '' means that no session makes this request.
local function session_ended(auth, epoch)
  return epoch ~= '' and redis.call('HGET', auth, 'epoch') ~= epoch
end

-- Tells all open streams of a user that something changed. Where Redis refuses to publish, a stream
-- finds the change at its next read.
local function publish_change(channel)
  redis.pcall('SPUBLISH', channel, 'changed')
end

-- Publishes a change only if the home was read or watched lately.
-- include: publish_change
local function notify_watchers(arrivals, channel)
  if redis.call('EXISTS', arrivals) == 1 then publish_change(channel) end
end

-- The log of arrivals expires this long after its home was read or watched (s), and has this length.
local WATCHED_S, ARRIVALS_KEPT = 3600, 200

-- Adds a status to the log of arrivals of a home and publishes the change, if the home is watched.
-- include: publish_change, ARRIVALS_KEPT
local function log_arrival(arrivals, channel, id)
  if redis.call('EXISTS', arrivals) == 0 then return end
  redis.call('XADD', arrivals, 'MAXLEN', ARRIVALS_KEPT, '*', 'status', id)
  publish_change(channel)
end

-- Keeps the log of arrivals alive and returns the id of its last entry. A page that reads the home in
-- the same step is complete up to this entry. A new log begins with an entry that is no arrival.
-- Returns false if there is no log and Redis takes no writes.
-- include: WATCHED_S
local function watch_arrivals(arrivals)
  local last = redis.call('XREVRANGE', arrivals, '+', '-', 'COUNT', 1)[1]
  if last then
    if redis.call('TTL', arrivals) < WATCHED_S / 2 then redis.pcall('EXPIRE', arrivals, WATCHED_S) end
    return last[1]
  end
  local first = redis.pcall('XADD', arrivals, '*', 'begun', 1)
  if type(first) == 'table' then return false end
  redis.call('EXPIRE', arrivals, WATCHED_S)
  return first
end

-- Writes a field again with its own value. A call that finds its work done must do this: replicas may
-- lack that write, and WAIT waits only for writes of its own connection.
local function rewrite_field(key, field)
  local value = redis.call('HGET', key, field)
  if value then redis.call('HSET', key, field, value) end
end

-- Says whether a status exists and is not deleted.
local function status_exists(status)
  local fields = redis.call('HMGET', status, 'uid', 'deleted')
  return fields[1] and not fields[2]
end

-- Parses a poll: choice ('one' or 'several'), duration (hours), number of options. Returns nothing if
-- there is no poll.
local function parse_poll(text)
  local choice, hours, options = string.match(text or '', '^(%a+) (%d+)(.*)$')
  if not choice then return end
  local _, option_count = string.gsub(options, '\n', '')
  return choice, tonumber(hours), option_count
end

-- Counts the ballots of a poll: voters, then votes for each option, separated by spaces. The score of a
-- ballot is the sum of 1, 2, 4 and 8, one for each option.
local function count_ballots(ballots, option_count)
  local counts = {redis.call('ZCARD', ballots)}
  for option = 1, option_count do counts[option + 1] = 0 end
  for chosen = 1, 2 ^ option_count - 1 do
    local votes = redis.call('ZCOUNT', ballots, chosen, chosen)
    for option = 1, option_count do
      if math.floor(chosen / 2 ^ (option - 1)) % 2 == 1 then
        counts[option + 1] = counts[option + 1] + votes
      end
    end
  end
  return table.concat(counts, ' ')
end

-- Draws a status id above the user's last id and above another id, and stores it as the last id. A last
-- id at the top of the number range is corrupt and is ignored.
local function draw_id(user, random_bits, epoch_ms, above)
  local now = redis.call('TIME')
  local ms = now[1] * 1000 + math.floor(now[2] / 1000) - tonumber(epoch_ms)
  local last = tonumber(redis.call('HGET', user, 'last') or 0)
  if last >= 9007199254740991 then last = 0 end
  last = math.max(last, tonumber(above))
  local id = string.format('%.0f', math.max(ms * 4096 + tonumber(random_bits), last + 1))
  redis.call('HSET', user, 'last', id)
  return id
end

-- Stores the numbers of replies and of gaps on a status. Returns false if the status does not exist.
-- include: status_exists
local function store_reply_counts(status, replies, gaps)
  if not status_exists(status) then return false end
  redis.call('HSET', status, 'reply_count', redis.call('ZCARD', replies), 'gap_count', redis.call('ZCARD', gaps))
  return true
end

-- Returns the time (µs) as a score that is larger than every score of a ZSET.
local function next_score(key)
  local now = redis.call('TIME')
  local score = now[1] * 1000000 + now[2]
  local last = redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')
  if last[2] and tonumber(last[2]) >= score then score = tonumber(last[2]) + 1 end
  return string.format('%.0f', score)
end

-- One day (s), and the smallest status id that can have been drawn during the last day.
local DAY_S = 86400
local function first_id_of_last_day(epoch_ms)
  local ms = (redis.call('TIME')[1] - DAY_S) * 1000 - tonumber(epoch_ms)
  return string.format('%.0f', ms * 4096)
end

-- Returns the score (µs) up to which a user has read their notifications.
local function last_read_score(read_marker)
  return tonumber(redis.call('HGET', read_marker, 'read') or 0)
end

-- Removes the oldest notifications beyond the limit. The limit holds separately for active ones and for
-- retracted ones, which have negative scores and therefore come first.
local function trim_notifications(log, limit)
  limit = tonumber(limit)
  local retracted = redis.call('ZCOUNT', log, '-inf', '(0')
  local active = redis.call('ZCARD', log) - retracted
  if active > limit then redis.call('ZREMRANGEBYRANK', log, retracted, retracted + active - limit - 1) end
  if retracted > limit then redis.call('ZREMRANGEBYRANK', log, limit, retracted - 1) end
end

-- Adds a notification of an event at that time (µs) and returns whether it is new to the user. One that
-- exists keeps its place. One that was read and then retracted returns to its place. If the log is full,
-- an event before its oldest notification is not added: it may have been removed before. A new
-- notification gets a score above everything that was read.
-- include: next_score, last_read_score, trim_notifications
local function add_notification(log, read_marker, limit, notification, at_us)
  local score = tonumber(redis.call('ZSCORE', log, notification) or 0)
  if score > 0 then return false end
  if score < 0 then
    redis.call('ZADD', log, string.format('%.0f', -score), notification)
    trim_notifications(log, limit)
    return false
  end
  if redis.call('ZCOUNT', log, '(0', '+inf') >= tonumber(limit) then
    local oldest = redis.call('ZRANGE', log, '(0', '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')[2]
    if tonumber(at_us) < tonumber(oldest) then return false end
  end
  score = math.max(tonumber(next_score(log)), last_read_score(read_marker) + 1)
  redis.call('ZADD', log, string.format('%.0f', score), notification)
  trim_notifications(log, limit)
  return true
end

-- Retracts a notification and returns whether it was there. One that was read stays in the log with a
-- negative score, invisible, so that the same event is not reported as new again.
-- include: last_read_score, trim_notifications
local function retract_notification(log, read_marker, limit, notification)
  local score = tonumber(redis.call('ZSCORE', log, notification) or 0)
  if score <= 0 then return false end
  if score > last_read_score(read_marker) then
    redis.call('ZREM', log, notification)
  else
    redis.call('ZADD', log, string.format('%.0f', -score), notification)
    trim_notifications(log, limit)
  end
  return true
end

-- Returns the number of unread notifications.
-- include: last_read_score
local function unread_count(log, read_marker)
  return redis.call('ZCOUNT', log, string.format('(%.0f', last_read_score(read_marker)), '+inf')
end

-- Removes all notifications about a status.
local function remove_notifications_about(log, id)
  local cursor, found = '0', {}
  repeat
    local reply = redis.call('ZSCAN', log, cursor, 'MATCH', '*:' .. id .. ':*', 'COUNT', 1000)
    cursor = reply[1]
    for i = 1, #reply[2], 2 do found[#found + 1] = reply[2][i] end
  until cursor == '0'
  if #found > 0 then redis.call('ZREM', log, unpack(found)) end
end

-- Parses an active mark: its floor, and the token of the rebuild that is under way, if any.
local function parse_mark(mark)
  local token, floor = string.match(mark, '^building:(%x+):(%d+)$')
  if token then return tonumber(floor), token end
  return tonumber(mark)
end

-- Raises the floor in an active mark to a higher one. The mark keeps its token and its TTL.
-- include: parse_mark
local function raise_floor(active_mark, floor)
  local mark = redis.call('GET', active_mark)
  if not mark then return end
  local current, token = parse_mark(mark)
  if floor <= current then return end
  local text = string.format('%.0f', floor)
  if token then text = 'building:' .. token .. ':' .. text end
  redis.call('SET', active_mark, text, 'KEEPTTL')
end

-- Trims a timeline that is 24 over its size, and raises the floor to the last id that is left.
-- include: raise_floor
local function trim_timeline(timeline, active_mark, size)
  if redis.call('ZCARD', timeline) < size + 24 then return end
  redis.call('ZREMRANGEBYRANK', timeline, size, -1)
  local last = redis.call('ZRANGE', timeline, -1, -1)
  raise_floor(active_mark, tonumber(last[1]))
end

-- Formats a final floor: the timeline is short, and another rebuild would find nothing more. The leading
-- 0 says so until the floor rises.
local function format_final_floor(floor)
  return string.format('0%.0f', floor)
end

-- Says whether a timeline has fewer entries than that above a floor. A timeline that is complete,
-- dormant, being rebuilt, or has a final floor is not short.
-- include: parse_mark
local function is_short(timeline, active_mark, few)
  local mark = redis.call('GET', active_mark)
  if not mark or string.sub(mark, 1, 1) == '0' then return false end
  local _, token = parse_mark(mark)
  return not token and redis.call('ZCARD', timeline) < tonumber(few)
end

-- Parses a status header: the author, the authors of the parent that it replies to and of the original
-- that it reposts (each '0' for none), and the tags.
local function parse_header(text)
  local author, parent_author, original_author, tags = string.match(text, '^(%d+) (%d+) (%d+)(.*)$')
  return {author = author, parent_author = parent_author, original_author = original_author, tags = tags}
end

-- Names the keys from KEYS[first] that decide which statuses belong on a timeline, in the order of
-- keys::timeline_with_sources: the timeline, its sources (followed people, or members of the list) and its
-- active mark; of a home also excluded people, hidden reposts and followed tags. With a header, hidden
-- reposts are there only for a repost, and followed tags only for a post with tags. `next` is the index
-- of the key after them.
local function timeline_keys(first, header)
  local keys = {timeline = KEYS[first], sources = KEYS[first + 1], active_mark = KEYS[first + 2], next = first + 3}
  local function take(name, is_there)
    if is_there then keys[name], keys.next = KEYS[keys.next], keys.next + 1 end
  end
  if string.sub(keys.timeline, 1, 5) == 'home:' then
    take('excluded', true)
    take('hidden_reposts', not header or header.original_author ~= '0')
    take('followed_tags', not header or header.tags ~= '' and header.parent_author == '0'
      and header.original_author == '0')
  end
  return keys
end

-- Says whether a status with this header belongs on a timeline, as domain::Sources::belongs defines it.
-- A list has only sources.
local function belongs(keys, header)
  local author, parent_author, original_author = header.author, header.parent_author, header.original_author
  local owner = string.match(keys.timeline, '{(%d+)')
  if keys.excluded then
    if author == owner then return true end
    if redis.call('ZSCORE', keys.excluded, author) then return false end
  end
  if original_author == owner then return false end
  if redis.call('ZSCORE', keys.sources, author)
    and (parent_author == '0' or parent_author == owner or parent_author == author
      or redis.call('ZSCORE', keys.sources, parent_author))
    and not (keys.hidden_reposts and original_author ~= '0' and redis.call('ZSCORE', keys.hidden_reposts, author)) then
    return true
  end
  if not keys.followed_tags or header.tags == '' then return false end
  if parent_author ~= '0' or original_author ~= '0' then return false end
  for tag in string.gmatch(header.tags, '%S+') do
    if redis.call('ZSCORE', keys.followed_tags, tag) then return true end
  end
  return false
end

-- Changes the number of exclusive lists that contain a member. Owners are never excluded from their home.
local function change_exclusion_count(excluded, owner, member, by)
  if member == owner then return end
  local list_count = redis.call('ZINCRBY', excluded, by, member)
  if tonumber(list_count) <= 0 then redis.call('ZREM', excluded, member) end
end

-- Deletes a home after its sources changed. The next visit rebuilds it.
local function drop_home(home, active_mark)
  redis.call('UNLINK', home)
  redis.call('DEL', active_mark)
end

-- Says whether a list is exclusive, by its value in the HASH of lists.
local function is_exclusive(list)
  return string.sub(list, 1, 2) == '1:'
end

-- Parses ranges of ids that a reader has seen: 'low-high,low-high', ascending. Every other id is new.
local function parse_ranges(text)
  local ranges = {}
  for low, high in string.gmatch(text, '(%d+)-(%d+)') do
    ranges[#ranges + 1] = {tonumber(low), tonumber(high)}
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
  for i, range in ipairs(ranges) do parts[i] = string.format('%.0f-%.0f', range[1], range[2]) end
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

-- Formats the ranges seen before a visit, and those shown by now. The shown ranges include the former,
-- as merged by format_ranges.
-- include: format_ranges, add_range
local function format_seen(before, shown)
  local text = format_ranges(before)
  for _, range in ipairs(before) do shown = add_range(shown, range[1], range[2]) end
  return text, format_ranges(shown)
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

-- Returns the lower bound of the chunk of postings to which an id belongs.
local function chunk_bound(bounds, id)
  return redis.call('ZRANGE', bounds, '-' .. id, '+inf', 'BYSCORE', 'LIMIT', 0, 1)[1] or '0'
end

-- Keeps a former text or name, which search still finds until the index has changed.
local function keep_former(key, text)
  local former = redis.call('HGET', key, 'former')
  redis.call('HSET', key, 'former', former and text .. '\n' .. former or text)
end

-- Removes the bound of a chunk that is empty. Its range then belongs to the chunk below. Returns the
-- number of removed bounds.
local function drop_bound(bounds, chunk, bound)
  if bound == '0' or redis.call('EXISTS', chunk) == 1 then return 0 end
  local dropped = redis.call('ZREM', bounds, bound)
  if redis.call('ZCARD', bounds) == 1 then redis.call('ZREM', bounds, '0') end
  return dropped
end
