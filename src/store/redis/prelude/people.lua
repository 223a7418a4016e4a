--[[ people.lua: recovery codes, restrictions, mutes and blocks of users, and the cases of moderators. ]]

-- Removes the recovery codes of a user, or else the codes of links.
local function drop_recovery_codes(recovery, are_links)
  local fields = redis.call('HGETALL', recovery)
  for at = 1, #fields, 2 do
    local is_link = fields[at + 1] ~= '0'
    if fields[at] ~= 'made' and is_link == are_links then redis.call('HDEL', recovery, fields[at]) end
  end
end

-- Returns whether a user mutes a person now. The score of a mute is its end (µs).
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

-- Returns whether one of a user and another person blocks the other.
local function is_blocked_either_way(blocked, blocked_by, person)
  return redis.call('ZSCORE', blocked, person) or redis.call('ZSCORE', blocked_by, person)
end

-- Returns whether the block for which a call acts has ended: its entry in this slot is gone, or was written again. A
-- call with the score '' acts for no block.
local function block_ended(block, member, score)
  if score == '' then return false end
  local current = redis.call('ZSCORE', block, member)
  return not current or string.format('%.0f', current) ~= score
end

-- Returns whether streams and notifications of a user leave out a person, who is muted, blocked or blocking.
-- include: is_muted, is_blocked_either_way
local function is_muted_or_blocked(muted, blocked, blocked_by, person)
  return is_muted(muted, person) or is_blocked_either_way(blocked, blocked_by, person)
end

-- Returns a table of those of these people that the user mutes or blocks, or that block the user.
-- include: scores_of
local function muted_or_blocked_among(muted, blocked, blocked_by, names)
  local found, people = {}, {}
  for _, name in ipairs(names) do
    if found[name] == nil then found[name], people[#people + 1] = false, name end
  end
  if #people == 0 then return found end
  local now = redis.call('TIME')
  now = now[1] * 1000000 + now[2]
  local mute_ends = scores_of(muted, people)
  local blocks = scores_of(blocked, people)
  local blocks_by = scores_of(blocked_by, people)
  for nth, person in ipairs(people) do
    found[person] = mute_ends[nth] and tonumber(mute_ends[nth]) > now or blocks[nth] or blocks_by[nth]
  end
  return found
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

-- Returns the moderator who has claimed a case, while the claim lasts. A claim that lies further ahead than it lasts is
-- from before the clock was set back, and does not count.
local function claimant(case, lease_ms)
  local by, claimed = unpack(redis.call('HMGET', case, 'claimed_by', 'claimed'))
  local now = redis.call('TIME')
  local age = claimed and now[1] * 1000 + math.floor(now[2] / 1000) - tonumber(claimed)
  return age and math.abs(age) < tonumber(lease_ms) and by or nil
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
