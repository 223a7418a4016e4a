--[[ revoke_invitation.lua: removes an unused invitation, also one that a sign-up has claimed and not completed.
     KEYS     invitations (ZSET), auth (HASH)
     ARGV     deadline_ms, session_epoch (or ''), code
     Returns  'revoked' | 'gone' (no such unused invitation, for example because it was used) | 'session_ended' ]]
-- flags: allow-oom
-- include: late, session_ended
local invitations, auth = unpack(KEYS)
local deadline_ms, session_epoch, code = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
local is_unused = redis.call('ZSCORE', invitations, code)
-- A removal that is repeated is written too.
redis.call('ZADD', invitations, 1, code)
redis.call('ZREM', invitations, code, 'claimed:' .. code)
return is_unused and 'revoked' or 'gone'
