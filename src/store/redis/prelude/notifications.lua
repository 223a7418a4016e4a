--[[ notifications.lua: the log of notifications, its limits and its unread count. ]]

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
-- include: sender_of, REACTIONS, LOG_GROUPS, scores_of
local function read_log(log, following, added)
  local entries, rows, senders = redis.call('ZRANGE', log, '(0', '+inf', 'BYSCORE', 'WITHSCORES'), {}, {}
  if added then
    entries[#entries + 1] = added
    entries[#entries + 1] = math.huge
  end
  for index = 1, #entries, 2 do
    senders[#senders + 1] = sender_of(entries[index])
  end
  local follows, sizes = scores_of(following, senders), {}
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

-- Returns whether a notification is in a group of this kind that has more than its share of a log.
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
-- groups that have their shares, else the oldest of all. Older notifications may have been removed before.
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
-- include: DAY_S, last_read_score, scores_of
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
  for _, score in ipairs(scores_of(log, follows)) do
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
