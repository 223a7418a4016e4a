--[[ repair_measures.lua: limits, freezes and suspends an account exactly as the decisions about its person require, unless
     there was another decision meanwhile.
     KEYS     user (HASH), auth (HASH), channel (of the user), case (HASH)
     ARGV     revision (of the case), limited ('1' or ''), frozen (the end of a freeze in ms, or ''),
              changes_suspension ('1' or ''), suspended (the reason, or '')
     Returns  'repaired' | 'outdated' ]]
-- include: publish_change, copy_restriction, store_or_delete_field
local user, auth, channel, case = unpack(KEYS)
local revision, limited, frozen, changes_suspension, suspended = unpack(ARGV)
if (redis.call('HGET', case, 'revision') or '0') ~= revision then return 'outdated' end
store_or_delete_field(user, 'limited', limited)
store_or_delete_field(user, 'frozen', frozen)
if changes_suspension == '1' then store_or_delete_field(user, 'suspended', suspended) end
copy_restriction(user, auth)
publish_change(channel)
return 'repaired'
