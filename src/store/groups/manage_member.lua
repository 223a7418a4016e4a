--[[ manage_member.lua: changes the tie of a person to a group, by a moderator of the group, and adds the act to the log.
     The owner acts on everybody else, moderators act on people without a role. The member to whom the owner offers the
     group takes it over. A person without the power learns nothing.
     KEYS     group (HASH), members (ZSET), roles (HASH), home (ZSET), notified (ZSET), muted (ZSET), banned (ZSET),
              requests (ZSET), invited (ZSET), inviters (HASH), log (ZSET)
     ARGV     deadline_ms, actor, person, change ('accept', 'refuse', 'invite', 'uninvite', 'remove', 'ban', 'unban',
              'mute', 'unmute', 'promote', 'demote', 'offer', 'withdraw_offer', 'take_over'), until_ms (end of a mute),
              entry (of the log), max_members, max_invitations, max_moderators, max_bans, max_acts,
              removable_ms (mutes that ended later stay), age_ms (of the act: 0 unless it is dated back)
     Returns  'done' (by this call or an earlier one) | 'not_found' (no such group, or the actor has not the power)
              | 'unchanged' (there is nothing to change) | 'full' | 'too_many' (invitations, moderators or bans)
              | 'banned' (people who are banned cannot be invited) ]]
-- flags: allow-oom
-- include: late, rewrite_field, next_score, group_role, group_tie, remove_from_group, add_to_group, log_group_act, set_group_owner
local group, members, roles, home, notified, muted, banned, requests, invited, inviters, log = unpack(KEYS)
local deadline_ms, actor, person, change, until_ms, entry, max_members, max_invitations, max_moderators, max_bans, max_acts, removable_ms, age_ms = unpack(ARGV)
local keys = {group = group, members = members, roles = roles, home = home, notified = notified, muted = muted,
  banned = banned, requests = requests, invited = invited, inviters = inviters}
if late(deadline_ms) then return redis.error_reply(LATE) end
local slug, gone, offered = unpack(redis.call('HMGET', group, 'slug', 'gone', 'offered'))
local own = group_role(keys, actor)
if not slug or gone or not own then return 'not_found' end
local is_owner = own == 'owner'
if change == 'take_over' then
  if offered ~= actor and not is_owner then return 'not_found' end
elseif not is_owner and own ~= 'moderator' then
  return 'not_found'
end
rewrite_field(group, 'slug')
if redis.call('ZSCORE', log, entry) then return 'done' end
local role = group_role(keys, person)
local tie = string.match(group_tie(keys, person), '^%l+')
local is_for_owner = change == 'promote' or change == 'demote' or change == 'offer' or change == 'withdraw_offer'
if is_for_owner and not is_owner then return 'not_found' end
local is_act_on_person = change == 'remove' or change == 'ban' or change == 'mute' or change == 'unmute'
if is_act_on_person and (role == 'owner' or role == 'moderator' and not is_owner) then return 'unchanged' end
if change == 'accept' then
  if tie ~= 'asked' then return 'unchanged' end
  if not add_to_group(keys, person, max_members, age_ms) then return 'full' end
elseif change == 'refuse' then
  if tie ~= 'asked' then return 'unchanged' end
  remove_from_group(keys, person)
elseif change == 'invite' then
  if tie == 'banned' then return 'banned' end
  if tie == 'member' or tie == 'invited' then return 'unchanged' end
  if tie == 'asked' then
    if not add_to_group(keys, person, max_members, age_ms) then return 'full' end
  else
    if redis.call('ZCARD', invited) >= tonumber(max_invitations) then return 'too_many' end
    redis.call('ZADD', invited, next_score(invited, age_ms), person)
    redis.call('HSET', inviters, person, actor)
  end
elseif change == 'uninvite' then
  if tie ~= 'invited' then return 'unchanged' end
  remove_from_group(keys, person)
elseif change == 'remove' then
  if not role then return 'unchanged' end
  remove_from_group(keys, person)
elseif change == 'ban' then
  if tie == 'banned' then return 'unchanged' end
  if redis.call('ZCARD', banned) >= tonumber(max_bans) then return 'too_many' end
  remove_from_group(keys, person)
  redis.call('ZADD', banned, next_score(banned, age_ms), person)
elseif change == 'unban' then
  if redis.call('ZREM', banned, person) == 0 then return 'unchanged' end
elseif change == 'mute' then
  if not role then return 'unchanged' end
  local now = redis.call('TIME')
  local removable = math.min(now[1] * 1000, tonumber(removable_ms))
  redis.call('ZREMRANGEBYSCORE', muted, '-inf', string.format('%.0f', removable))
  redis.call('ZADD', muted, until_ms, person)
elseif change == 'unmute' then
  if redis.call('ZREM', muted, person) == 0 then return 'unchanged' end
elseif change == 'promote' then
  if role ~= 'member' then return 'unchanged' end
  if redis.call('HLEN', roles) > tonumber(max_moderators) then return 'too_many' end
  redis.call('HSET', roles, person, 'moderator')
  redis.call('ZREM', muted, person)
elseif change == 'demote' then
  if role ~= 'moderator' then return 'unchanged' end
  redis.call('HDEL', roles, person)
elseif change == 'offer' then
  if not role or role == 'owner' or offered == person then return 'unchanged' end
  redis.call('HSET', group, 'offered', person)
elseif change == 'withdraw_offer' then
  if offered ~= person then return 'unchanged' end
  redis.call('HDEL', group, 'offered')
elseif change == 'take_over' then
  if is_owner then return 'unchanged' end
  set_group_owner(keys, actor)
  redis.call('ZREM', muted, actor)
end
log_group_act(log, entry, max_acts, age_ms)
return 'done'
