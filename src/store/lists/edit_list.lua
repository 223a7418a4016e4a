--[[ edit_list.lua: changes the name of a list, or whether it is exclusive, or both. If the latter changes, the owner's
     home is dropped in the same step.
     KEYS     lists (HASH), members (ZSET), excluded (ZSET), home (ZSET), active_mark (STRING), auth (HASH)
     ARGV     deadline_ms, owner_id, list_number, name (or '' to keep it), expected_name ('=' and the stored name that the
              change is based on, or ''), exclusive ('1', '0', or '' to keep it), session_epoch (or '')
     Returns  'done' | 'home_dropped' (done, and the home was dropped) | 'no_list' | 'conflict' (another device changed the
              name meanwhile, so nothing is changed) | 'session_ended' ]]
-- include: late, session_ended, changed_meanwhile, is_exclusive, change_exclusion_count, drop_home
local lists, members, excluded, home, active_mark, auth = unpack(KEYS)
local deadline_ms, owner_id, list_number, name, expected_name, exclusive, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
local list = redis.call('HGET', lists, list_number)
if not list then return 'no_list' end
local stored_exclusive, stored_name = string.match(list, '^([^:]*):(.*)$')
if name == '' then name = stored_name end
if changed_meanwhile(stored_name, expected_name, name) then return 'conflict' end
if exclusive == '' then exclusive = stored_exclusive end
redis.call('HSET', lists, list_number, exclusive .. ':' .. name)
if is_exclusive(list) == (exclusive == '1') then return 'done' end
local change = exclusive == '1' and 1 or -1
for _, member in ipairs(redis.call('ZRANGE', members, 0, -1)) do
  change_exclusion_count(excluded, owner_id, member, change)
end
drop_home(home, active_mark)
return 'home_dropped'
