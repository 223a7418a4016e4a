--[[ new_epoch.lua: ends every session of a user.
     KEYS     auth (HASH), channel (of the user)
     ARGV     deadline_ms, epoch, session_epoch (or '')
     Returns  'renewed' | 'unknown_user' | 'session_ended' ]]
-- flags: allow-oom
-- include: late, session_ended, publish_change
local auth, channel = unpack(KEYS)
local deadline_ms, epoch, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('EXISTS', auth) == 0 then return 'unknown_user' end
if session_ended(auth, session_epoch) then return 'session_ended' end
redis.call('HSET', auth, 'epoch', epoch)
publish_change(channel)
return 'renewed'
