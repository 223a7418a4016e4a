--[[ store/people/commit_login.lua — gives a login to a person: the commit of a sign-up.
     KEYS[1] STRING login       ARGV[1] deadline (ms)      ARGV[2] user id
     Returns the id of the one who has the login now ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[2] then return holder end
redis.call('SET', KEYS[1], ARGV[2])
return ARGV[2]
