--[[ groups.lua: the people of groups and the log of a group. ]]

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

-- Stores where the posts of a group come to a member. `age_ms` dates it back.
-- include: next_score
local function set_group_delivery(keys, person, delivery, age_ms)
  if delivery == 'page' then
    redis.call('ZREM', keys.home, person)
  elseif not redis.call('ZSCORE', keys.home, person) then
    redis.call('ZADD', keys.home, next_score(keys.home, age_ms), person)
  end
  if delivery ~= 'notified' then
    redis.call('ZREM', keys.notified, person)
  elseif not redis.call('ZSCORE', keys.notified, person) then
    redis.call('ZADD', keys.notified, next_score(keys.notified, age_ms), person)
  end
end

-- Makes a person a member of a group. `age_ms` dates it back. Announcements begin with notifications. Returns false if the
-- group is full.
-- include: next_score, remove_from_group, set_group_delivery, count_group
local function add_to_group(keys, person, max_members, age_ms)
  if redis.call('ZCARD', keys.members) >= tonumber(max_members) then return false end
  remove_from_group(keys, person)
  redis.call('ZADD', keys.members, next_score(keys.members, age_ms), person)
  local is_announcement = redis.call('HGET', keys.group, 'kind') == 'announcement'
  set_group_delivery(keys, person, is_announcement and 'notified' or 'home', age_ms)
  count_group(keys)
  return true
end

-- Adds an act to the log of a group, and removes the oldest beyond the limit. `age_ms` dates it back.
-- include: next_score
local function log_group_act(log, entry, max_acts, age_ms)
  redis.call('ZADD', log, next_score(log, age_ms), entry)
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
