--[[ remove_user.lua: removes a user whose sign-up never got its login.
     KEYS     user (HASH), auth (HASH), active_mark (STRING)
     ARGV     now_ms
     Returns  'removed' ]]
-- flags: allow-oom
local user, auth, active_mark = unpack(KEYS)
local now_ms = ARGV[1]
redis.call('DEL', user, auth, active_mark)
redis.call('HSET', user, 'gone', now_ms)
return 'removed'
