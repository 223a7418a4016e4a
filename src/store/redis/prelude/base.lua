--[[ base.lua: the deadline, the session, fields, scores and sorted sets. All scripts and pieces can use it. ]]

-- Returns whether a call arrives after its deadline (ms on this Redis' clock). A late call writes nothing.
local LATE = 'LATE the deadline of this call has passed'
local function late(deadline_ms)
  local now = redis.call('TIME')
  return now[1] * 1000 + math.floor(now[2] / 1000) > tonumber(deadline_ms)
end

-- Returns whether the session of a request has ended: its epoch is no longer the user's epoch. The epoch
-- '' means that no session makes this request.
local function session_ended(auth, epoch)
  return epoch ~= '' and redis.call('HGET', auth, 'epoch') ~= epoch
end

-- Notifies all open streams of a user of a change. If Redis refuses to publish, a stream finds the change at its next
-- read.
local function publish_change(channel)
  redis.pcall('SPUBLISH', channel, 'changed')
end

-- Writes a field again with its own value. A call that finds its work done must do this: replicas may
-- lack that write, and WAIT waits only for writes of its own connection.
local function rewrite_field(key, field)
  local value = redis.call('HGET', key, field)
  if value then redis.call('HSET', key, field, value) end
end

-- Stores the value of a field. An empty value removes the field.
local function store_or_delete_field(key, field, value)
  if value == '' then redis.call('HDEL', key, field) else redis.call('HSET', key, field, value) end
end

-- Returns whether another device changed a value after it was read: it is neither the expected nor the new one. '='
-- precedes the expected value, and '' expects nothing. An earlier try of the same call may have stored the new value.
local function changed_meanwhile(stored, expected, new)
  return expected ~= '' and expected ~= '=' .. stored and stored ~= new
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

-- Counts the author of a status as a user of a tag (1), each user once with the newest status, at most 10,000 users. Or
-- counts the author no longer (0), if this was the newest one. Returns the number of users of the last day.
-- include: first_id_of_last_day
local function set_tag_use(tag_uses, status_id, author_id, epoch_ms, is_used)
  local first_id = first_id_of_last_day(epoch_ms)
  if is_used == '1' then
    redis.call('ZADD', tag_uses, 'GT', status_id, author_id)
    redis.call('ZREMRANGEBYSCORE', tag_uses, '-inf', '(' .. first_id)
    redis.call('ZREMRANGEBYRANK', tag_uses, 0, -10001)
    redis.call('EXPIRE', tag_uses, DAY_S)
    return redis.call('ZCARD', tag_uses)
  end
  local newest = redis.call('ZSCORE', tag_uses, author_id)
  if newest and tonumber(newest) == tonumber(status_id) then redis.call('ZREM', tag_uses, author_id) end
  return redis.call('ZCOUNT', tag_uses, first_id, '+inf')
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

-- Returns the score of each of these members of a sorted set, or false. Redis stores a set of up to 1,024 members as a
-- list, and compares each name with each entry of it: milliseconds for many names. So this reads such a set once.
local FEW_NAMES, LIST_ENTRIES = 64, 1024
local function scores_of(key, members)
  if #members == 0 then return {} end
  if #members <= FEW_NAMES or redis.call('ZCARD', key) > LIST_ENTRIES then
    return redis.call('ZMSCORE', key, unpack(members))
  end
  local entries, of_member, scores = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES'), {}, {}
  for at = 1, #entries, 2 do of_member[entries[at]] = entries[at + 1] end
  for nth, member in ipairs(members) do scores[nth] = of_member[member] or false end
  return scores
end

-- Removes a member from a sorted set.
local function remove_member(key, member)
  redis.call('ZREM', key, member)
end

-- Returns whether a sorted set has a member, or room for another one.
local function has_room(key, member, limit)
  return redis.call('ZSCORE', key, member) or redis.call('ZCARD', key) < tonumber(limit)
end

-- Puts a member into a sorted set at a score, or removes it.
local function set_member(key, is_member, score, member)
  if is_member then redis.call('ZADD', key, score, member) else redis.call('ZREM', key, member) end
end
