--[[ prelude.lua: functions and constants that scripts share, in pieces between blank lines. A script or
     piece names the pieces that it uses in its line `-- include: …`. A piece uses only pieces above, so all
     of them are in one file. ]]

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

-- Removes a status from the pinned posts of a user.
local function unpin(user, status_id)
  local text = redis.call('HGET', user, 'pinned')
  if not text then return end
  local pinned = {}
  for id in string.gmatch(text, '%S+') do
    if id ~= status_id then pinned[#pinned + 1] = id end
  end
  if #pinned == 0 then
    redis.call('HDEL', user, 'pinned')
  else
    redis.call('HSET', user, 'pinned', table.concat(pinned, ' '))
  end
end

-- Removes the recovery codes of a user, or else the codes of links.
local function drop_recovery_codes(recovery, are_links)
  local fields = redis.call('HGETALL', recovery)
  for at = 1, #fields, 2 do
    local is_link = fields[at + 1] ~= '0'
    if fields[at] ~= 'made' and is_link == are_links then redis.call('HDEL', recovery, fields[at]) end
  end
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

-- Adds a status to the log of arrivals of a home and publishes the change, if the home is watched. The
-- authors are those of the status and of the original that it reposts, '0' for none.
-- include: publish_change, ARRIVALS_KEPT
local function log_arrival(arrivals, channel, id, authors)
  if redis.call('EXISTS', arrivals) == 0 then return end
  redis.call('XADD', arrivals, 'MAXLEN', ARRIVALS_KEPT, '*', 'status', id, 'authors', authors)
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

-- Says whether a user mutes a person now. The score of a mute is its end (µs).
local function is_muted(muted, person)
  local ends = redis.call('ZSCORE', muted, person)
  if not ends then return false end
  local now = redis.call('TIME')
  return tonumber(ends) > now[1] * 1000000 + now[2]
end

-- Returns a digest of the texts and conversations that a user mutes. It differs for other mutes or other ends.
-- Returns '' if there are none.
local function digest_of_mutes(muted_texts, muted_conversations)
  if redis.call('EXISTS', muted_texts, muted_conversations) == 0 then return '' end
  local texts = redis.call('ZRANGE', muted_texts, 0, -1, 'WITHSCORES')
  local conversations = redis.call('ZRANGE', muted_conversations, 0, -1, 'WITHSCORES')
  return redis.sha1hex(table.concat(texts, '\n') .. '\n\n' .. table.concat(conversations, '\n'))
end

-- Says whether one of a user and another person blocks the other.
local function is_apart(blocked, blocked_by, person)
  return redis.call('ZSCORE', blocked, person) or redis.call('ZSCORE', blocked_by, person)
end

-- Says whether streams and notifications of a user leave out a person: muted, blocked or blocking.
-- include: is_muted, is_apart
local function is_unheard(muted, blocked, blocked_by, person)
  return is_muted(muted, person) or is_apart(blocked, blocked_by, person)
end

-- Returns a table of those of these people that the user mutes or blocks, or that block the user. Four commands.
local function unheard_among(muted, blocked, blocked_by, people)
  local unheard = {}
  if #people == 0 then return unheard end
  local now = redis.call('TIME')
  now = now[1] * 1000000 + now[2]
  local mute_ends = redis.call('ZMSCORE', muted, unpack(people))
  local blocks = redis.call('ZMSCORE', blocked, unpack(people))
  local blocks_by = redis.call('ZMSCORE', blocked_by, unpack(people))
  for nth, person in ipairs(people) do
    unheard[person] = mute_ends[nth] and tonumber(mute_ends[nth]) > now or blocks[nth] or blocks_by[nth]
  end
  return unheard
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

-- Draws a status id of the given age, above the user's last id and above another id, and stores it as the last id. A
-- last id at the top of the number range is corrupt and is ignored.
local function draw_id(user, random_bits, epoch_ms, above, age_ms)
  local now = redis.call('TIME')
  local ms = now[1] * 1000 + math.floor(now[2] / 1000) - tonumber(epoch_ms) - tonumber(age_ms)
  local last = tonumber(redis.call('HGET', user, 'last') or 0)
  if last >= 9007199254740991 then last = 0 end
  last = math.max(last, tonumber(above))
  local id = string.format('%.0f', math.max(ms * 4096 + tonumber(random_bits), last + 1))
  redis.call('HSET', user, 'last', id)
  return id
end

-- Time for which room is reserved for a status that is being written (ms). It is longer than any call.
local RESERVED_MS = 60000

-- Reserves room for a status until it is counted. Each status counts as `base_bytes` and as bytes beyond
-- them. Returns false if all statuses and reservations of the user would take more than the quota.
-- include: RESERVED_MS
local function reserve_room(profile, post_bytes, status_id, extra_bytes, base_bytes, quota_bytes)
  local now = redis.call('TIME')
  local now_ms = now[1] * 1000 + math.floor(now[2] / 1000)
  local sum, counted, reserved = unpack(redis.call('HMGET', post_bytes, 'sum', status_id, 'reserved'))
  local used = redis.call('ZCARD', profile) * base_bytes + (tonumber(sum) or 0)
  local needed = extra_bytes - (tonumber(counted) or 0)
  if not redis.call('ZSCORE', profile, status_id) then needed = needed + base_bytes end
  if needed <= 0 then return true end
  local kept = {}
  for id, bytes, until_ms in string.gmatch(reserved or '', '(%d+):(%d+):(%d+)') do
    local left_ms = until_ms - now_ms
    if left_ms > 0 and left_ms <= RESERVED_MS then
      if id ~= status_id then
        used = used + bytes
        kept[#kept + 1] = id .. ':' .. bytes .. ':' .. until_ms
      elseif tonumber(bytes) == needed and left_ms > RESERVED_MS / 2 then
        return true
      end
    end
  end
  if used + needed > tonumber(quota_bytes) then return false end
  kept[#kept + 1] = string.format('%s:%.0f:%.0f', status_id, needed, now_ms + RESERVED_MS)
  redis.call('HSET', post_bytes, 'reserved', table.concat(kept, ' '))
  return true
end

-- Stores the bytes beyond the base that a status counts as ('0' for a small or a dead one), and ends its
-- reservation.
local function count_bytes(post_bytes, status_id, extra_bytes)
  local counted, sum, reserved = unpack(redis.call('HMGET', post_bytes, status_id, 'sum', 'reserved'))
  if extra_bytes ~= (counted or '0') then
    local new_sum = math.max((tonumber(sum) or 0) + extra_bytes - (tonumber(counted) or 0), 0)
    if extra_bytes == '0' then
      redis.call('HDEL', post_bytes, status_id)
    else
      redis.call('HSET', post_bytes, status_id, extra_bytes)
    end
    if new_sum == 0 then
      redis.call('HDEL', post_bytes, 'sum')
    else
      redis.call('HSET', post_bytes, 'sum', string.format('%.0f', new_sum))
    end
  end
  if not reserved then return end
  local kept = {}
  for id, rest in string.gmatch(reserved, '(%d+)(:%d+:%d+)') do
    if id ~= status_id then kept[#kept + 1] = id .. rest end
  end
  if #kept == 0 then
    redis.call('HDEL', post_bytes, 'reserved')
  else
    redis.call('HSET', post_bytes, 'reserved', table.concat(kept, ' '))
  end
end

-- Stores the numbers of replies and of gaps on a status. Returns false if the status does not exist.
-- include: status_exists
local function store_reply_counts(status, replies, gaps)
  if not status_exists(status) then return false end
  redis.call('HSET', status, 'reply_count', redis.call('ZCARD', replies), 'gap_count', redis.call('ZCARD', gaps))
  return true
end

-- Stores the bytes that a tombstone counts as in the quota of its author while it has replies: its fields, and 500
-- for its keys and entries. Words for the search index do not count, because they go soon.
local function weigh_tombstone(status)
  local bytes, fields = 500, redis.call('HGETALL', status)
  for at = 1, #fields, 2 do
    if fields[at] ~= 'former' and fields[at] ~= 'extra_bytes' then bytes = bytes + #fields[at] + #fields[at + 1] end
  end
  redis.call('HSET', status, 'extra_bytes', bytes)
end

-- Lets a tombstone expire, unless it has replies. Then the removal of the last reply below needs its
-- references.
local function limit_tombstone(status, replies, gaps, tombstone_ttl_s)
  if redis.call('EXISTS', replies, gaps) > 0 then
    redis.call('PERSIST', status)
  elseif redis.call('TTL', status) == -1 then
    redis.call('EXPIRE', status, tombstone_ttl_s)
  end
end

-- Returns the time (µs) as a score that is larger than every score of a ZSET. `age_ms` dates it back, or `at_us`, the time
-- of an event.
local function next_score(key, age_ms, at_us)
  local now = redis.call('TIME')
  local score = now[1] * 1000000 + now[2] - (tonumber(age_ms) or 0) * 1000
  if at_us and tonumber(at_us) < score then score = tonumber(at_us) end
  local last = redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')
  if last[2] and tonumber(last[2]) >= score then score = tonumber(last[2]) + 1 end
  return string.format('%.0f', score)
end

-- Returns the time (µs) of the next event of the case of a user. No two events of a case have the same time.
local function next_event(case)
  local now = redis.call('TIME')
  local time = now[1] * 1000000 + now[2]
  local last = tonumber(redis.call('HGET', case, 'last') or 0)
  if last >= time then time = last + 1 end
  time = string.format('%.0f', time)
  redis.call('HSET', case, 'last', time)
  return time
end

-- Returns the moderator who has claimed a case, while the claim lasts.
local function claimant(case, lease_ms)
  local by, claimed = unpack(redis.call('HMGET', case, 'claimed_by', 'claimed'))
  local now = redis.call('TIME')
  local age = claimed and now[1] * 1000 + math.floor(now[2] / 1000) - tonumber(claimed)
  return age and age < tonumber(lease_ms) and by or nil
end

-- Copies the restriction of an account to `auth`, where sessions read it.
local function copy_restriction(user, auth)
  local suspended, leaving, frozen, application =
    unpack(redis.call('HMGET', user, 'suspended', 'leaving', 'frozen', 'application'))
  -- The first word of a request to join is its state: 'waiting' or 'refused'.
  local request = application and string.match(application, '^%a+')
  local restriction = request or suspended and 'suspended' or leaving and 'deactivated' or frozen and 'frozen ' .. frozen
  if restriction then
    redis.call('HSET', auth, 'restriction', restriction)
  else
    redis.call('HDEL', auth, 'restriction')
  end
end

-- Schedules one action of a rate limit: returns how early it comes (µs; 0 or less if it is allowed), and
-- then the time at which the next one would be due (µs) with the TTL of that schedule (ms). A schedule
-- that is further ahead than its burst was written before the clock was set back, and counts as a burst
-- that is used up.
local function schedule_action(schedule, interval_us, burst)
  local now = redis.call('TIME')
  now = now[1] * 1000000 + now[2]
  local interval, most = tonumber(interval_us), tonumber(interval_us) * tonumber(burst)
  local due = tonumber(redis.call('GET', schedule) or now)
  if due > now + most then
    due = now + most
    -- It is stored, so that the wait ends although this action is refused.
    redis.pcall('SET', schedule, string.format('%.0f', due), 'PX', math.ceil(most / 1000))
  end
  due = math.max(due, now) + interval
  return due - now - most, string.format('%.0f', due), math.ceil((due - now) / 1000)
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

-- Returns the sender of a notification.
local function sender_of(notification)
  return string.match(notification, '%d+$')
end

-- The kinds of notifications without a text.
local REACTIONS = {follow = true, favourite = true, repost = true}

-- The groups that share a full notification log, with their parts of it, the smallest group first. Strangers are
-- people whom the user does not follow.
local LOG_SHARES = {sender = 1 / 10, reactions_of_strangers = 1 / 4, strangers = 1 / 2}
local LOG_GROUPS = {'sender', 'reactions_of_strangers', 'strangers'}

-- Reads the active notifications of a log, oldest first, and one more that will be the newest, if any. Each has its
-- score, and the names of its groups by their kinds. Also returns the size of each group.
-- include: sender_of, REACTIONS, LOG_GROUPS
local function read_log(log, following, added)
  local entries, rows, senders = redis.call('ZRANGE', log, '(0', '+inf', 'BYSCORE', 'WITHSCORES'), {}, {}
  if added then
    entries[#entries + 1] = added
    entries[#entries + 1] = math.huge
  end
  for index = 1, #entries, 2 do
    senders[#senders + 1] = sender_of(entries[index])
  end
  local follows, sizes = redis.call('ZMSCORE', following, unpack(senders)), {}
  for nth, sender in ipairs(senders) do
    local row = {notification = entries[2 * nth - 1], score = entries[2 * nth], sender = sender}
    if not follows[nth] then
      row.strangers = 'strangers'
      row.reactions_of_strangers = REACTIONS[string.match(row.notification, '^%l+')] and 'reactions_of_strangers'
    end
    for _, kind in ipairs(LOG_GROUPS) do
      local group = row[kind]
      if group then sizes[group] = (sizes[group] or 0) + 1 end
    end
    rows[nth] = row
  end
  return rows, sizes
end

-- Says whether a notification is in a group of this kind that has more than its share of a log.
-- include: LOG_SHARES
local function is_beyond_share(row, sizes, kind, limit)
  return row[kind] and sizes[row[kind]] > limit * LOG_SHARES[kind]
end

-- Removes this number of active notifications from a log: first the oldest of groups that have more than their shares
-- of it, the smallest group first, then the oldest of all. So no sender displaces what others sent, and strangers do
-- not displace what followed people sent. Groups only shrink, so one pass for each kind of group removes the same
-- notifications as one search for each removal.
-- include: LOG_GROUPS, is_beyond_share, read_log
local function remove_oldest_active(log, following, limit, count)
  local rows, sizes = read_log(log, following)
  local removed, is_removed = {}, {}
  local function remove_those_beyond(kind)
    for _, row in ipairs(rows) do
      if #removed >= count then return end
      if not is_removed[row] and (not kind or is_beyond_share(row, sizes, kind, limit)) then
        removed[#removed + 1], is_removed[row] = row.notification, true
        for _, group in ipairs(LOG_GROUPS) do
          if row[group] then sizes[row[group]] = sizes[row[group]] - 1 end
        end
      end
    end
  end
  for _, kind in ipairs(LOG_GROUPS) do remove_those_beyond(kind) end
  remove_those_beyond(nil)
  redis.call('ZREM', log, unpack(removed))
end

-- Returns the score of the oldest active notification of a full log that counts for the last one: the oldest of its
-- groups that have their shares, else the oldest of all. What is older may have been removed before.
-- include: LOG_GROUPS, is_beyond_share
local function oldest_score_for_last(rows, sizes, limit)
  local last, oldest = rows[#rows], tonumber(rows[1].score)
  for _, kind in ipairs(LOG_GROUPS) do
    if is_beyond_share(last, sizes, kind, limit) then
      for _, row in ipairs(rows) do
        if row[kind] == last[kind] then
          oldest = math.max(oldest, tonumber(row.score))
          break
        end
      end
    end
  end
  return oldest
end

-- Adds a notification of an event at that time (µs) and returns whether it is new to the user. One that
-- exists keeps its place. One that was read and then retracted returns to its place. If the log exceeds
-- the limit, 4 % of it is removed in one step, because each removal reads the whole log. In such a log, an event before
-- its oldest notification, or before the oldest one of a group that has its share, is not added: it may have been
-- removed before. Removed notifications are always older than the newest tenth of the log. So a newer event is added
-- without a read of the whole log. A new notification has the time of its event as score, or one above all others and above everything that was
-- read.
-- include: next_score, last_read_score, read_log, remove_oldest_active, oldest_score_for_last, LOG_SHARES
local function add_notification(log, read_marker, following, limit, notification, at_us)
  local score = tonumber(redis.call('ZSCORE', log, notification) or 0)
  if score > 0 then return false end
  limit = tonumber(limit)
  local is_new, kept = score == 0, limit - math.floor(limit / 25)
  local size = redis.call('ZCOUNT', log, '(0', '+inf') + 1
  if is_new and size > kept then
    local rank = -math.floor(limit * LOG_SHARES.sender)
    local safe = redis.call('ZRANGE', log, rank, rank, 'WITHSCORES')[2]
    if tonumber(at_us) < tonumber(safe) then
      local rows, sizes = read_log(log, following, notification)
      if tonumber(at_us) < oldest_score_for_last(rows, sizes, limit) then return false end
    end
  end
  score = is_new and math.max(tonumber(next_score(log, 0, at_us)), last_read_score(read_marker) + 1) or -score
  redis.call('ZADD', log, string.format('%.0f', score), notification)
  if size > limit then remove_oldest_active(log, following, limit, size - kept) end
  return is_new
end

-- Removes the oldest retracted notifications beyond the limit. They have negative scores and therefore come first.
local function trim_retracted(log, limit)
  local retracted = redis.call('ZCOUNT', log, '-inf', '(0')
  if retracted > tonumber(limit) then redis.call('ZREMRANGEBYRANK', log, limit, retracted - 1) end
end

-- Retracts a notification and returns whether it was there. One that was read stays in the log with a
-- negative score, invisible, so that the same event is not reported as new again.
-- include: last_read_score, trim_retracted
local function retract_notification(log, read_marker, limit, notification)
  local score = tonumber(redis.call('ZSCORE', log, notification) or 0)
  if score <= 0 then return false end
  if score > last_read_score(read_marker) then
    redis.call('ZREM', log, notification)
  else
    redis.call('ZADD', log, string.format('%.0f', -score), notification)
    trim_retracted(log, limit)
  end
  return true
end

-- Returns the number of unread lines of the notifications page. `Bundle::all` in src/domain/notification.rs
-- makes the same lines: one for each kind and status, and one for the follows of each day (UTC). Scores are
-- read for follows only, because reading all of them would take twice the time.
-- include: DAY_S, last_read_score
local function unread_count(log, read_marker)
  local after_read = string.format('(%.0f', last_read_score(read_marker))
  local count, is_counted, follows = 0, {}, {}
  local function count_line(line)
    if not is_counted[line] then is_counted[line], count = true, count + 1 end
  end
  for _, notification in ipairs(redis.call('ZRANGE', log, after_read, '+inf', 'BYSCORE')) do
    local line = string.match(notification, '^%l+:%d+')
    if line == 'follow:0' then follows[#follows + 1] = notification else count_line(line) end
  end
  if #follows == 0 then return count end
  for _, score in ipairs(redis.call('ZMSCORE', log, unpack(follows))) do
    count_line(math.floor(score / (DAY_S * 1000000)))
  end
  return count
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

-- Parses a status header: the author, the one person that its readers must follow ('' for other readers), the
-- group ('' for none), the authors of the parent that it replies to and of the original that it reposts (each '0' for
-- none), and the tags.
local function parse_header(text)
  local author, followed, group, parent_author, original_author, tags =
    string.match(text, '^(%d+)/?(%d*)@?(%d*) (%d+) (%d+)(.*)$')
  return {author = author, followed = followed, group = group, parent_author = parent_author,
    original_author = original_author, tags = tags}
end

-- The home filters in the order of HomeFilter::ALL, each with whether it hides a status of the person that it is set for.
local home_filters = {
  {name = 'hidden_reposts', hides = function(header) return header.original_author ~= '0' end},
}

-- Names the keys from KEYS[first] that decide which statuses belong on a timeline, in the order of
-- source_keys in sources.rs: the timeline, its sources (followed people, or members of the list) and its
-- active mark; of a home also excluded people, home filters, followed tags and groups. With a header, a filter is
-- there only if it hides such a status, followed tags only for a post with tags and without a group, and groups only
-- for a status in a group. `next` is the index of the key after them.
-- include: home_filters
local function timeline_keys(first, header)
  local keys = {timeline = KEYS[first], sources = KEYS[first + 1], active_mark = KEYS[first + 2], next = first + 3}
  local function take(name, is_there)
    if is_there then keys[name], keys.next = KEYS[keys.next], keys.next + 1 end
  end
  if string.sub(keys.timeline, 1, 5) == 'home:' then
    take('excluded', true)
    for _, filter in ipairs(home_filters) do take(filter.name, not header or filter.hides(header)) end
    take('followed_tags', not header or header.tags ~= '' and header.parent_author == '0'
      and header.original_author == '0' and header.group == '')
    take('groups', not header or header.group ~= '')
  end
  return keys
end

-- Says whether a home filter hides a status.
-- include: home_filters
local function is_filtered(keys, header)
  for _, filter in ipairs(home_filters) do
    local key = keys[filter.name]
    if key and filter.hides(header) and redis.call('ZSCORE', key, header.author) then return true end
  end
  return false
end

-- Says whether a status with this header belongs on a timeline, as domain::Sources::belongs defines it.
-- A list has only sources.
-- include: is_filtered
local function belongs(keys, header)
  local author, parent_author, original_author = header.author, header.parent_author, header.original_author
  local owner = string.match(keys.timeline, '{(%d+)')
  if keys.excluded then
    if author == owner then return true end
    if redis.call('ZSCORE', keys.excluded, author) then return false end
  end
  if header.group ~= '' then
    if not keys.groups or parent_author ~= '0' or original_author ~= '0' then return false end
    local is_reached = header.followed == '' or redis.call('ZSCORE', keys.sources, header.followed)
    return is_reached and redis.call('ZSCORE', keys.groups, header.group) or false
  end
  if keys.excluded then
    local followed = header.followed
    local is_reached = followed == '' or followed == owner or followed == author or followed == parent_author
    if not is_reached then return false end
  end
  if original_author == owner then return false end
  if redis.call('ZSCORE', keys.sources, author)
    and (parent_author == '0' or parent_author == owner or parent_author == author
      or redis.call('ZSCORE', keys.sources, parent_author))
    and not is_filtered(keys, header) then
    return true
  end
  if not keys.followed_tags or header.tags == '' or header.followed ~= '' then return false end
  if parent_author ~= '0' or original_author ~= '0' then return false end
  local tags = {}
  for tag in string.gmatch(header.tags, '%S+') do tags[#tags + 1] = tag end
  for _, since in ipairs(redis.call('ZMSCORE', keys.followed_tags, unpack(tags))) do
    if since then return true end
  end
  return false
end

-- Says whether the statuses of a person, a tag or a group ('@' and its id) come to a timeline, if nothing else is
-- against it.
local function is_source(keys, source)
  local group = string.match(source, '^@(%d+)$')
  if group then return keys.groups and redis.call('ZSCORE', keys.groups, group) end
  return redis.call('ZSCORE', keys.sources, source) and not (keys.excluded and redis.call('ZSCORE', keys.excluded, source))
    or keys.followed_tags and redis.call('ZSCORE', keys.followed_tags, source)
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

-- Counts a member of an exclusive list in or out, and drops the owner's home if that changes it. The home
-- has statuses of the member only if the owner follows them or a tag, or has a group there. Returns whether it was
-- dropped.
-- include: change_exclusion_count, drop_home
local function change_excluded_member(excluded, home, active_mark, following, followed_tags, home_groups, owner, member, by)
  change_exclusion_count(excluded, owner, member, by)
  if not redis.call('ZSCORE', following, member) and redis.call('EXISTS', followed_tags, home_groups) == 0 then return false end
  drop_home(home, active_mark)
  return true
end

-- Says whether a list is exclusive, by its value in the HASH of lists.
local function is_exclusive(list)
  return string.sub(list, 1, 2) == '1:'
end

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

-- Returns the lower bound of the chunk of postings to which an id belongs.
local function chunk_bound(bounds, id)
  return redis.call('ZRANGE', bounds, '-' .. id, '+inf', 'BYSCORE', 'LIMIT', 0, 1)[1] or '0'
end

-- Returns how many people the readers of a status are: all ('' for everyone), the members of the site, or the
-- followers of one person.
local function extent_of_readers(readers)
  if readers == '' then return 3 end
  return readers == 'members' and 2 or 1
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

-- Parses a person of a chat, as the HASH of members stores it.
local function parse_chat_member(text)
  local state, seen, unread, cleared, muted, written, bytes =
    string.match(text, '^(%l+) (%d+) (%d+) (%d+) (%d) (%d+) ?(%d*)$')
  return {state = state, seen = tonumber(seen), unread = tonumber(unread), cleared = tonumber(cleared),
    muted = muted, written = tonumber(written), bytes = tonumber(bytes) or 0}
end

-- Formats a person of a chat.
local function format_chat_member(person)
  return string.format('%s %.0f %.0f %.0f %s %.0f %.0f', person.state, person.seen, person.unread, person.cleared,
    person.muted, person.written, person.bytes)
end

-- Returns the people of a chat by their ids.
-- include: parse_chat_member
local function read_chat_members(members)
  local rows, people = redis.call('HGETALL', members), {}
  for at = 1, #rows, 2 do people[rows[at]] = parse_chat_member(rows[at + 1]) end
  return people
end

-- Stores people of a chat.
-- include: format_chat_member
local function store_chat_members(members, people)
  for id, person in pairs(people) do redis.call('HSET', members, id, format_chat_member(person)) end
end

-- Returns the data from which the copies of a chat follow: the time (µs) and the number of its last message, the time
-- at which its next message disappears (ms, '0' for none any more, '' if none ever did), and its members.
local function chat_state(chat, members)
  local at, last, expires = unpack(redis.call('HMGET', chat, 'at', 'last', 'expires'))
  return {at or '0', last or '0', expires or '', redis.call('HGETALL', members)}
end

-- Counts a change of a chat, so that open pages read it again.
local function count_chat_change(chat)
  redis.call('HINCRBY', chat, 'version', 1)
end

-- Returns the bytes that a stored message or event counts as in the quota of its author. `ENTRY_BYTES` of the store
-- (`chats/bytes.rs`) is the same number.
local function chat_entry_bytes(stored)
  return 128 + #stored
end

-- Adds a message, or an event with its kind as the mark, and counts its bytes. Returns its number, or nothing if it
-- counts as more bytes than the author has room for. Its time is later than that of the message before, also if the
-- clock was set back. The caller stores the people.
-- include: count_chat_change, chat_entry_bytes
local function add_chat_entry(chat, messages, people, author, mark, text, room_bytes)
  local now = redis.call('TIME')
  local last_at = tonumber(redis.call('HGET', chat, 'at') or 0)
  local at = math.max(now[1] * 1000000 + now[2], last_at + 1)
  local stored = string.format('%s %.0f %s\n', author, math.floor(at / 1000), mark) .. text
  local bytes = chat_entry_bytes(stored)
  if room_bytes and bytes > tonumber(room_bytes) then return nil end
  local id = redis.call('HINCRBY', chat, 'last', 1)
  redis.call('HSET', chat, 'at', string.format('%.0f', at))
  redis.call('HSET', messages, id, stored)
  people[author].bytes = people[author].bytes + bytes
  count_chat_change(chat)
  return id
end

-- Gives the bytes of a message or event that is removed back to its author.
-- include: chat_entry_bytes
local function uncount_chat_bytes(people, stored)
  local author = people[string.match(stored or '', '^(%d+) ')]
  if author then author.bytes = math.max(author.bytes - chat_entry_bytes(stored), 0) end
end

-- Notes when a new message disappears, if the chat has an expiry.
local function schedule_expiry(chat, expiring, id)
  local days, at_us, expires = unpack(redis.call('HMGET', chat, 'expiry_days', 'at', 'expires'))
  if not days then return end
  local at = math.floor(at_us / 1000) + days * 86400000
  redis.call('ZADD', expiring, string.format('%.0f', at), id)
  expires = tonumber(expires or 0)
  if expires == 0 or at < expires then redis.call('HSET', chat, 'expires', string.format('%.0f', at)) end
end

-- Returns the author of a message that can be unread. Deleted messages and events cannot.
local function author_of_unread(stored)
  local author, mark = string.match(stored or '', '^(%d+) %d+ (%S+)\n')
  if mark and (mark == '-' or string.match(mark, '^%d+$')) then return author end
end

-- Counts the messages of others after one and up to another, without those that the member deleted for themselves.
-- include: author_of_unread
local function count_unread(messages, hidden, member, after, last)
  local count = 0
  for from = after + 1, last, 500 do
    local ids, marks = {}, {}
    for id = from, math.min(from + 499, last) do
      ids[#ids + 1] = string.format('%.0f', id)
      marks[#marks + 1] = member .. ':' .. ids[#ids]
    end
    local is_hidden = redis.call('SMISMEMBER', hidden, unpack(marks))
    for at, stored in ipairs(redis.call('HMGET', messages, unpack(ids))) do
      local author = author_of_unread(stored)
      if author and author ~= member and is_hidden[at] == 0 then count = count + 1 end
    end
  end
  return count
end

-- Takes a message that is removed from the unread messages of all people. Those who deleted it for
-- themselves do not count it.
-- include: author_of_unread
local function uncount_message(people, hidden, id, stored)
  local author = author_of_unread(stored)
  if not author then return end
  for member, person in pairs(people) do
    local is_unread = tonumber(id) > math.max(person.seen, person.cleared) and member ~= author
    if is_unread and redis.call('SISMEMBER', hidden, member .. ':' .. id) == 0 then
      person.unread = math.max(person.unread - 1, 0)
    end
  end
end

-- Removes the oldest messages of the person with the most bytes while a chat has more than its limit. So a person who
-- writes very many pushes out their own messages, not those of others. `kept_from:<id>` of the chat is the
-- number up to which all messages of a person were removed like this. A call examines a bounded number of messages, and
-- the next one continues there.
-- include: uncount_message, uncount_chat_bytes
local function remove_beyond_limit(keys, people, last, limit)
  local MAX_EXAMINED, MAX_REMOVED = 200, 20
  local chat, messages, hidden, expiring = unpack(keys)
  local excess = math.min(redis.call('HLEN', messages) - limit, MAX_REMOVED)
  if excess <= 0 then return end
  local largest
  for id, person in pairs(people) do
    local most = largest and people[largest].bytes
    if not most or person.bytes > most or person.bytes == most and id < largest then largest = id end
  end
  local field, numbers = 'kept_from:' .. largest, {}
  local first, from = unpack(redis.call('HMGET', chat, 'first', field))
  first = tonumber(first or 1)
  from = math.max(first, tonumber(from or 1))
  for number = from, math.min(from + MAX_EXAMINED, last) - 1 do numbers[#numbers + 1] = string.format('%.0f', number) end
  if #numbers == 0 then return end
  for at, stored in ipairs(redis.call('HMGET', messages, unpack(numbers))) do
    if excess == 0 then break end
    from = from + 1
    if string.match(stored or '', '^(%d+) ') == largest then
      local oldest, marks = numbers[at], {}
      uncount_message(people, hidden, oldest, stored)
      uncount_chat_bytes(people, stored)
      redis.call('HDEL', messages, oldest)
      redis.call('ZREM', expiring, oldest)
      for member in pairs(people) do marks[#marks + 1] = member .. ':' .. oldest end
      redis.call('SREM', hidden, unpack(marks))
      excess = excess - 1
    end
  end
  for _ = 1, MAX_REMOVED do
    if first >= last or redis.call('HEXISTS', messages, string.format('%.0f', first)) == 1 then break end
    first = first + 1
  end
  redis.call('HSET', chat, field, string.format('%.0f', from), 'first', string.format('%.0f', first))
end

-- Adds a member at a score, or at the next one that no other member has.
local function add_at_free_score(key, score, member)
  local holder = redis.call('ZRANGE', key, score, score, 'BYSCORE')[1]
  while holder and holder ~= member do
    score = string.format('%.0f', score + 1)
    holder = redis.call('ZRANGE', key, score, score, 'BYSCORE')[1]
  end
  redis.call('ZADD', key, score, member)
end

-- Removes a member from a sorted set.
local function remove_member(key, member)
  redis.call('ZREM', key, member)
end

-- Says whether a sorted set has a member, or room for another one.
local function has_room(key, member, limit)
  return redis.call('ZSCORE', key, member) or redis.call('ZCARD', key) < tonumber(limit)
end

-- Puts a member into a sorted set at a score, or removes it.
local function set_member(key, is_member, score, member)
  if is_member then redis.call('ZADD', key, score, member) else redis.call('ZREM', key, member) end
end

-- Returns the role of a member of a group. Nothing for others.
local function group_role(keys, person)
  if not redis.call('ZSCORE', keys.members, person) then return nil end
  return redis.call('HGET', keys.roles, person) or 'member'
end

-- Returns the tie of a person to a group, as the text of a `GroupTie`. A group that does not exist or is being deleted
-- has no ties. It takes the same commands for each answer, so that their number does not tell that a group exists.
local function group_tie(keys, person)
  local slug, gone = unpack(redis.call('HMGET', keys.group, 'slug', 'gone'))
  local joined, role = redis.call('ZSCORE', keys.members, person), redis.call('HGET', keys.roles, person)
  local notified, home = redis.call('ZSCORE', keys.notified, person), redis.call('ZSCORE', keys.home, person)
  local muted, banned = redis.call('ZSCORE', keys.muted, person), redis.call('ZSCORE', keys.banned, person)
  local asked, invited = redis.call('ZSCORE', keys.requests, person), redis.call('ZSCORE', keys.invited, person)
  local inviter = redis.call('HGET', keys.inviters, person)
  if not slug or gone then return 'none' end
  if joined then
    local delivery = notified and 'notified' or home and 'home' or 'page'
    return string.format('member %.0f %s %s %.0f', joined, role or 'member', delivery, muted or 0)
  end
  if banned then return 'banned' end
  if asked then return string.format('asked %.0f', asked) end
  if invited then return string.format('invited %.0f %s', invited, inviter or '0') end
  return 'none'
end

-- Stores the numbers of members and requests of a group.
local function count_group(keys)
  redis.call('HSET', keys.group, 'members', redis.call('ZCARD', keys.members), 'requests',
    redis.call('ZCARD', keys.requests))
end

-- Removes the tie of a person to a group, apart from a ban.
-- include: count_group
local function remove_from_group(keys, person)
  redis.call('ZREM', keys.members, person)
  redis.call('ZREM', keys.home, person)
  redis.call('ZREM', keys.notified, person)
  redis.call('ZREM', keys.requests, person)
  redis.call('ZREM', keys.invited, person)
  redis.call('HDEL', keys.roles, person)
  redis.call('HDEL', keys.inviters, person)
  if redis.call('HGET', keys.group, 'offered') == person then redis.call('HDEL', keys.group, 'offered') end
  count_group(keys)
end

-- Stores where the posts of a group come to a member.
-- include: next_score
local function set_group_delivery(keys, person, delivery)
  if delivery == 'page' then
    redis.call('ZREM', keys.home, person)
  elseif not redis.call('ZSCORE', keys.home, person) then
    redis.call('ZADD', keys.home, next_score(keys.home), person)
  end
  if delivery ~= 'notified' then
    redis.call('ZREM', keys.notified, person)
  elseif not redis.call('ZSCORE', keys.notified, person) then
    redis.call('ZADD', keys.notified, next_score(keys.notified), person)
  end
end

-- Makes a person a member of a group. Announcements begin with notifications. Returns false if the group is full.
-- include: next_score, remove_from_group, set_group_delivery, count_group
local function add_to_group(keys, person, max_members)
  if redis.call('ZCARD', keys.members) >= tonumber(max_members) then return false end
  remove_from_group(keys, person)
  redis.call('ZADD', keys.members, next_score(keys.members), person)
  local is_announcement = redis.call('HGET', keys.group, 'kind') == 'announcement'
  set_group_delivery(keys, person, is_announcement and 'notified' or 'home')
  count_group(keys)
  return true
end

-- Adds an act to the log of a group, and removes the oldest beyond the limit.
-- include: next_score
local function log_group_act(log, entry, max_acts)
  redis.call('ZADD', log, next_score(log), entry)
  redis.call('ZREMRANGEBYRANK', log, 0, -1 - max_acts)
end

-- Makes a member the owner of a group. The owner before becomes a moderator.
local function set_group_owner(keys, person)
  local former = redis.call('HGET', keys.group, 'owner')
  if former and redis.call('ZSCORE', keys.members, former) then
    redis.call('HSET', keys.roles, former, 'moderator')
  end
  redis.call('HSET', keys.group, 'owner', person)
  redis.call('HDEL', keys.group, 'offered')
  redis.call('HSET', keys.roles, person, 'owner')
end

-- Returns the member who inherits a group: the moderator who joined first, or else the member who did.
local function group_heir(keys, owner)
  local heir, joined
  for _, person in ipairs(redis.call('HKEYS', keys.roles)) do
    local score = person ~= owner and tonumber(redis.call('ZSCORE', keys.members, person) or nil)
    if score and (not joined or score < joined) then heir, joined = person, score end
  end
  if heir then return heir end
  for _, person in ipairs(redis.call('ZRANGE', keys.members, 0, 1)) do
    if person ~= owner then return person end
  end
end
