--[[ edit_user.lua: changes the name of a user, the bio or both. The former name stays until the index has
     the new one.
     KEYS     user (HASH), auth (HASH)
     ARGV     deadline_ms, changes ('name', 'bio', 'name bio' or ''), name, bio, session_epoch (or '')
     Returns  'edited' | 'unknown_user' | 'session_ended' ]]
-- include: late, session_ended, keep_former
local user, auth = unpack(KEYS)
local deadline_ms, changes, name, bio, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
local login, old_name = unpack(redis.call('HMGET', user, 'login', 'name'))
if not login then return 'unknown_user' end
if changes:find('name', 1, true) then
  if old_name and old_name ~= name then keep_former(user, old_name) end
  redis.call('HSET', user, 'name', name)
end
if changes:find('bio', 1, true) then redis.call('HSET', user, 'bio', bio) end
return 'edited'
