--[[ edit_user.lua: changes the name and the bio of a user. The former name stays until the index has
     the new one.
     KEYS     user (HASH)
     ARGV     deadline_ms, name, bio
     Returns  'edited' | 'unknown_user' ]]
-- include: late, keep_former
local user = KEYS[1]
local deadline_ms, name, bio = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local login, old_name = unpack(redis.call('HMGET', user, 'login', 'name'))
if not login then return 'unknown_user' end
if old_name and old_name ~= name then keep_former(user, old_name) end
redis.call('HSET', user, 'name', name, 'bio', bio)
return 'edited'
