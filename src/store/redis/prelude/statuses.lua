--[[ statuses.lua: ids, bytes, polls, replies and readers of statuses. ]]

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

-- Returns whether a status exists and is not deleted.
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

-- Returns how many people the readers of a status are: all ('' for everyone), the members of the site, or the
-- followers of one person.
local function extent_of_readers(readers)
  if readers == '' then return 3 end
  return readers == 'members' and 2 or 1
end
