--[[ repair_measures.lua: limits, freezes and suspends an account exactly as the decisions about its person say, unless
     there was another decision meanwhile.
     KEYS     user (HASH), auth (HASH), channel (of the user), case (HASH)
     ARGV     revision (of the case), limited ('1' or ''), frozen (the end of a freeze in ms, or ''),
              changes_suspension ('1' or ''), suspended (the reason, or '')
     Returns  'repaired' | 'outdated' ]]
-- include: publish_change, copy_restriction
local user, auth, channel, case = unpack(KEYS)
local revision, limited, frozen, changes_suspension, suspended = unpack(ARGV)
if (redis.call('HGET', case, 'revision') or '0') ~= revision then return 'outdated' end
local function set(field, value)
  if value == '' then redis.call('HDEL', user, field) else redis.call('HSET', user, field, value) end
end
set('limited', limited)
set('frozen', frozen)
if changes_suspension == '1' then set('suspended', suspended) end
copy_restriction(user, auth)
publish_change(channel)
return 'repaired'
