--[[ set_choice.lua: stores a choice that a user made in the settings.
     KEYS     user (HASH), auth (HASH)
     ARGV     deadline_ms, field (of the user), value ('' removes the field), session_epoch (or '')
     Returns  'set' | 'unknown_user' | 'session_ended' ]]
-- flags: allow-oom
-- include: late, session_ended, store_or_delete_field
local user, auth = unpack(KEYS)
local deadline_ms, field, value, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
if redis.call('HEXISTS', user, 'login') == 0 then return 'unknown_user' end
store_or_delete_field(user, field, value)
return 'set'
