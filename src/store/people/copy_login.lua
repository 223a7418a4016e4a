--[[ copy_login.lua: copies the login of a user to the place where sessions read it. Without a change it is in the
     sessions themselves.
     KEYS     user (HASH), auth (HASH)
     Returns  'copied' ]]
-- flags: allow-oom
local user, auth = unpack(KEYS)
local login, renamed = unpack(redis.call('HMGET', user, 'login', 'renamed'))
if login and renamed then
  redis.call('HSET', auth, 'login', login)
else
  redis.call('HDEL', auth, 'login')
end
return 'copied'
