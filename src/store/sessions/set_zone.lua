--[[ set_zone.lua: stores the time zone in which pages show a user full times.
     KEYS     auth (HASH)
     ARGV     deadline_ms, zone ('' for UTC), session_epoch (or '')
     Returns  'set' | 'unknown_user' | 'session_ended' ]]
-- include: late, session_ended, store_or_delete_field
local auth = KEYS[1]
local deadline_ms, zone, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
if redis.call('HEXISTS', auth, 'epoch') == 0 then return 'unknown_user' end
store_or_delete_field(auth, 'zone', zone)
return 'set'
