--[[ revoke_invitation.lua: removes an unused invitation, also one that a sign-up has claimed and not completed.
     KEYS     invitations (ZSET), auth (HASH)
     ARGV     deadline_ms, session_epoch (or ''), code
     Returns  'revoked' | 'gone' (no such invitation, for example because it was used) | 'session_ended' ]]
-- flags: allow-oom
-- include: late, session_ended
local invitations, auth = unpack(KEYS)
local deadline_ms, session_epoch, code = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
local claim = 'claimed:' .. code
local is_there = redis.call('ZSCORE', invitations, code) or redis.call('ZSCORE', invitations, claim)
-- A removal that is repeated is written too.
redis.call('ZADD', invitations, 1, code)
redis.call('ZREM', invitations, code, claim)
return is_there and 'revoked' or 'gone'
