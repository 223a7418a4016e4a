--[[ reserve_login.lua: takes a login from a user who is being deleted. No one else can use it.
     KEYS     login (STRING)
     ARGV     user_id
     Returns  'reserved' (by this call or an earlier one) | 'other' (the login names another user) ]]
-- flags: allow-oom
local login = KEYS[1]
local user_id = ARGV[1]
local owner = redis.call('GET', login)
if owner and owner ~= user_id and owner ~= '0' then return 'other' end
redis.call('SET', login, '0')
return 'reserved'
