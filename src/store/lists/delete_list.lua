--[[ delete_list.lua: deletes a list and its timeline. The members stay until their list memberships are
     removed (clear_list.lua). The owner's home may then show members of an exclusive list again, so it is
     dropped in the same step.
     KEYS     lists (HASH), members (ZSET), excluded (ZSET), home (ZSET), active_mark (STRING),
              list_timeline (ZSET), list_active_mark (STRING), auth (HASH)
     ARGV     deadline_ms, owner_id, list_number, session_epoch (or '')
     Returns  'done' (by this call or an earlier one) | 'home_dropped' (done, and the home was dropped)
              | 'no_list' (there never was one) | 'session_ended' ]]
-- flags: allow-oom
-- include: late, session_ended, rewrite_field, is_exclusive, change_exclusion_count, drop_home
local lists, members, excluded, home, active_mark, list_timeline, list_active_mark, auth = unpack(KEYS)
local deadline_ms, owner_id, list_number, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
local list = redis.call('HGET', lists, list_number)
if not list then
  local last = tonumber(redis.call('HGET', lists, 'last') or 0)
  if tonumber(list_number) > last then return 'no_list' end
  rewrite_field(lists, 'last')
  return 'done'
end
redis.call('HDEL', lists, list_number)
redis.call('UNLINK', list_timeline)
redis.call('DEL', list_active_mark)
if not is_exclusive(list) then return 'done' end
for _, member in ipairs(redis.call('ZRANGE', members, 0, -1)) do
  change_exclusion_count(excluded, owner_id, member, -1)
end
drop_home(home, active_mark)
return 'home_dropped'
