--[[ add_reset_link.lua: stores the code of a link that sets a new password. It replaces the link before.
     KEYS     recovery (HASH), auth (HASH)
     ARGV     deadline_ms, digest, end_ms
     Returns  'added' | 'unknown_user' ]]
-- flags: allow-oom
-- include: late, drop_recovery_codes
local recovery, auth = unpack(KEYS)
local deadline_ms, digest, end_ms = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('EXISTS', auth) == 0 then return 'unknown_user' end
drop_recovery_codes(recovery, true)
redis.call('HSET', recovery, digest, end_ms)
return 'added'
