--[[ edit_user.lua: changes the name of a user, the bio or both. The former name stays until the index has
     the new one.
     KEYS     user (HASH), auth (HASH)
     ARGV     deadline_ms, changes ('name', 'bio', 'name bio' or ''), name, expected_name ('=' and the stored name that
              the change is based on, or ''), bio, expected_bio (the same), session_epoch (or '')
     Returns  'edited' | 'unknown_user' | 'conflict' (another device changed one of the fields meanwhile, so nothing
              is changed) | 'session_ended' ]]
-- include: late, session_ended, changed_meanwhile, keep_former
local user, auth = unpack(KEYS)
local deadline_ms, changes, name, expected_name, bio, expected_bio, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
local login, old_name, old_bio = unpack(redis.call('HMGET', user, 'login', 'name', 'bio'))
if not login then return 'unknown_user' end
local has_name, has_bio = changes:find('name', 1, true), changes:find('bio', 1, true)
if has_name and changed_meanwhile(old_name or '', expected_name, name) then return 'conflict' end
if has_bio and changed_meanwhile(old_bio or '', expected_bio, bio) then return 'conflict' end
if has_name then
  if old_name and old_name ~= name then keep_former(user, old_name) end
  redis.call('HSET', user, 'name', name)
end
if has_bio then redis.call('HSET', user, 'bio', bio) end
return 'edited'
