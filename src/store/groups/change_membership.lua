--[[ change_membership.lua: changes the tie of a person to a group, by that person: they join or ask to join,
     withdraw, decline an invitation, leave, or choose where its posts come to.
     KEYS     group (HASH), members (ZSET), roles (HASH), home (ZSET), notified (ZSET), muted (ZSET), banned (ZSET),
              requests (ZSET), invited (ZSET), inviters (HASH), log (ZSET)
     ARGV     deadline_ms, person, change ('join', 'withdraw', 'decline', 'leave', 'deliver'; 'go' when the account is
              deleted; 'undo' when the person may not belong to the group), delivery (or ''), max_members, max_requests,
              max_acts, token (of an act in the log), tie_to_undo (or ''), age_ms (of the change: 0 unless it is dated back)
     Returns  'done' (by this call or an earlier one; or there is another tie than that to undo)
              | 'not_found' (there is no such group, or they do not find it)
              | 'banned' | 'closed' (people need an invitation) | 'full' | 'too_many' (requests)
              | 'owner' (the owner hands the group over first, or deletes it)
              | 'deserted' (the last member is gone, so the deletion of the group has begun) ]]
-- flags: allow-oom
-- include: late, rewrite_field, next_score, group_role, group_tie, remove_from_group, set_group_delivery, add_to_group, count_group, log_group_act, set_group_owner, group_heir
local group, members, roles, home, notified, muted, banned, requests, invited, inviters, log = unpack(KEYS)
local deadline_ms, person, change, delivery, max_members, max_requests, max_acts, token, tie_to_undo, age_ms = unpack(ARGV)
local keys = {group = group, members = members, roles = roles, home = home, notified = notified, muted = muted,
  banned = banned, requests = requests, invited = invited, inviters = inviters}
if late(deadline_ms) then return redis.error_reply(LATE) end
local slug, gone, joining, unlisted = unpack(redis.call('HMGET', group, 'slug', 'gone', 'joining', 'unlisted'))
if not slug or gone then return 'not_found' end
rewrite_field(group, 'slug')
local role = group_role(keys, person)
if change == 'undo' and group_tie(keys, person) ~= tie_to_undo then return 'done' end
if change == 'join' then
  if role then return 'done' end
  local tie = string.match(group_tie(keys, person), '^%l+')
  if tie == 'banned' then return unlisted and 'not_found' or 'banned' end
  if tie == 'invited' or joining == 'open' then
    if add_to_group(keys, person, max_members, age_ms) then return 'done' end
    return 'full'
  end
  if tie == 'asked' then return 'done' end
  if unlisted then return 'not_found' end
  if joining ~= 'request' then return 'closed' end
  if redis.call('ZCARD', requests) >= tonumber(max_requests) then return 'too_many' end
  redis.call('ZADD', requests, next_score(requests, age_ms), person)
  count_group(keys)
  return 'done'
end
if change == 'deliver' then
  if not role then return 'not_found' end
  set_group_delivery(keys, person, delivery, age_ms)
  return 'done'
end
if change == 'withdraw' or change == 'decline' then
  if not role then remove_from_group(keys, person) end
  return 'done'
end
if role ~= 'owner' then
  if role or change ~= 'leave' then remove_from_group(keys, person) end
  if change == 'go' then redis.call('ZREM', muted, person) end
  return 'done'
end
if change == 'leave' then return 'owner' end
local heir = group_heir(keys, person)
if not heir then
  local now = redis.call('TIME')
  redis.call('HSET', group, 'gone', string.format('%.0f', now[1] * 1000 + math.floor(now[2] / 1000)))
  return 'deserted'
end
set_group_owner(keys, heir)
remove_from_group(keys, person)
local entry = string.format('{"by":"%s","act":{"take_over":"%s"},"token":"%s"}', person, heir, token)
log_group_act(log, entry, max_acts, age_ms)
return 'done'
