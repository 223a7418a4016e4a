--[[ mirror_membership.lua: writes the copy of the tie of a user to a group, in the slot of the user. A user with the
     maximum number of groups, requests or invitations gets no further one, and a deleted user none.
     KEYS     user (HASH), memberships (ZSET), home_groups (ZSET), asked_groups (ZSET), group_invitations (ZSET),
              arrivals (STREAM), channel (of the user)
     ARGV     deadline_ms, group, state ('member', 'asked', 'invited' or 'none'), at_us, is_home ('1' if its posts come to
              the home), max_groups, max_waiting (requests, and invitations)
     Returns  'done' | 'too_many' | 'deleted' (no such user); then there is no copy ]]
-- flags: allow-oom
-- include: late, notify_watchers, has_room, set_member
local user, memberships, home_groups, asked_groups, group_invitations, arrivals, channel = unpack(KEYS)
local deadline_ms, group, state, at_us, is_home, max_groups, max_waiting = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local refused = state ~= 'none' and redis.call('HEXISTS', user, 'login') == 0 and 'deleted'
local has_place = state == 'none' or state == 'member' and has_room(memberships, group, max_groups)
  or state == 'asked' and has_room(asked_groups, group, max_waiting)
  or state == 'invited' and has_room(group_invitations, group, max_waiting)
if not has_place then refused = refused or 'too_many' end
if refused then state = 'none' end
set_member(memberships, state == 'member', at_us, group)
set_member(home_groups, state == 'member' and is_home == '1', at_us, group)
set_member(asked_groups, state == 'asked', at_us, group)
set_member(group_invitations, state == 'invited', at_us, group)
notify_watchers(arrivals, channel)
if refused == 'deleted' then return 'deleted' end
if refused then return 'too_many' end
return 'done'
