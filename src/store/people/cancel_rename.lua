--[[ cancel_rename.lua: cancels a change of a login, which then cannot be finished any more.
     KEYS     user (HASH)
     ARGV     login (the new one), token (of the change, or of its reconciliation)
     Returns  'cancelled' (by this call or an earlier one) | 'other' (another change is under way) ]]
-- flags: allow-oom
local user = KEYS[1]
local login, token = unpack(ARGV)
local renaming = redis.call('HGET', user, 'renaming')
if not renaming then return 'cancelled' end
if renaming ~= token .. ' ' .. login then return 'other' end
redis.call('HDEL', user, 'renaming')
return 'cancelled'
