--[[ edit_group.lua: changes texts and settings of a group, by its owner. An unlisted group invites its people. Search
     can still hold the words of the newest former names.
     KEYS     group (HASH), roles (HASH), log (ZSET)
     ARGV     deadline_ms, actor, name (or '' to keep it), expected_name ('=' and the stored name that the change is based
              on, or ''), entry (of the log), max_acts, max_former, then fields with their expected and new values (an
              empty new value removes the field)
     Returns  'done' (by this call or an earlier one) | 'not_found' (no such group, or the actor does not own it)
              | 'conflict' (another device changed one of the fields meanwhile, so nothing is changed) ]]
-- include: late, changed_meanwhile, rewrite_field, log_group_act, store_or_delete_field
local group, roles, log = unpack(KEYS)
local deadline_ms, actor, name, expected_name, entry, max_acts, max_former = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local former_name, gone, former = unpack(redis.call('HMGET', group, 'name', 'gone', 'former'))
if not former_name or gone or redis.call('HGET', roles, actor) ~= 'owner' then return 'not_found' end
rewrite_field(group, 'slug')
if redis.call('ZSCORE', log, entry) then return 'done' end
if name ~= '' and changed_meanwhile(former_name, expected_name, name) then return 'conflict' end
for at = 8, #ARGV, 3 do
  local field, expected, value = unpack(ARGV, at, at + 2)
  if changed_meanwhile(redis.call('HGET', group, field) or '', expected, value) then return 'conflict' end
end
if name ~= '' and former_name ~= name then
  local names = {former_name}
  for one in string.gmatch(former or '', '[^\n]+') do
    if #names < tonumber(max_former) and one ~= name then names[#names + 1] = one end
  end
  redis.call('HSET', group, 'name', name, 'former', table.concat(names, '\n'))
end
for at = 8, #ARGV, 3 do
  store_or_delete_field(group, ARGV[at], ARGV[at + 2])
end
if redis.call('HEXISTS', group, 'unlisted') == 1 then redis.call('HSET', group, 'joining', 'invitation') end
log_group_act(log, entry, max_acts)
return 'done'
