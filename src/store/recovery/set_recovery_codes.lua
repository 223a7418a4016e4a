--[[ set_recovery_codes.lua: replaces the recovery codes of a user. A link that sets a new password stays.
     KEYS     recovery (HASH), auth (HASH)
     ARGV     deadline_ms, session_epoch (or ''), now_ms, then digests
     Returns  'set' | 'unknown_user' | 'session_ended' ]]
-- include: late, session_ended, drop_recovery_codes
local recovery, auth = unpack(KEYS)
local deadline_ms, session_epoch, now_ms = unpack(ARGV)
local digests = {unpack(ARGV, 4)}
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
if redis.call('EXISTS', auth) == 0 then return 'unknown_user' end
drop_recovery_codes(recovery, false)
redis.call('HSET', recovery, 'made', now_ms)
for _, digest in ipairs(digests) do redis.call('HSET', recovery, digest, 0) end
return 'set'
