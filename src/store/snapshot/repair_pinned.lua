--[[ repair_pinned.lua: stores the pinned posts of a user without the wrong ones.
     KEYS     user (HASH)
     ARGV     found (the value that was read there), right (the value without the wrong ones, or '')
     Returns  'repaired' | 'outdated' (it has another value) ]]
-- flags: allow-oom
-- include: store_or_delete_field
local user = KEYS[1]
local found, right = unpack(ARGV)
if redis.call('HGET', user, 'pinned') ~= found then return 'outdated' end
store_or_delete_field(user, 'pinned', right)
return 'repaired'
