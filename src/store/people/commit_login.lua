--[[ commit_login.lua: assigns a login to a user, which commits a sign-up.
     KEYS     login (STRING)
     ARGV     deadline_ms, user_id
     Returns  the id of the user who owns the login now ]]
-- include: late
local login = KEYS[1]
local deadline_ms, user_id = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local owner = redis.call('GET', login)
if owner and owner ~= user_id then return owner end
redis.call('SET', login, user_id)
return user_id
