--[[ free_login.lua: frees a login that was claimed for a change that was not made.
     KEYS     login (STRING)
     ARGV     deadline_ms, user_id
     Returns  'freed' (by this call or an earlier one) | 'other' (the login names another user, or is reserved) ]]
-- flags: allow-oom
-- include: late
local login = KEYS[1]
local deadline_ms, user_id = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local owner = redis.call('GET', login)
if owner and owner ~= user_id then return 'other' end
redis.call('DEL', login)
return 'freed'
