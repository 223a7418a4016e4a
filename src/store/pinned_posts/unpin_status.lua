--[[ unpin_status.lua: removes a status from the pinned posts of a user.
     KEYS     user (HASH), auth (HASH)
     ARGV     deadline_ms, status_id, session_epoch (or '')
     Returns  'unpinned' (by this call, or it was not pinned) | 'session_ended' ]]
-- flags: allow-oom
-- include: late, session_ended, unpin, rewrite_field
local user, auth = unpack(KEYS)
local deadline_ms, status_id, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
unpin(user, status_id)
rewrite_field(user, 'login')
return 'unpinned'
