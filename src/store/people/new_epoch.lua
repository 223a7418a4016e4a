--[[ new_epoch.lua: ends every session of a user.
     KEYS     auth (HASH), channel (of the user)
     ARGV     deadline_ms, epoch
     Returns  'renewed' | 'unknown_user' ]]
-- include: late, publish_change
local auth, channel = unpack(KEYS)
local deadline_ms, epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('EXISTS', auth) == 0 then return 'unknown_user' end
redis.call('HSET', auth, 'epoch', epoch)
publish_change(channel)
return 'renewed'
