--[[ revoke_invitation.lua: removes an unused invitation, also one that a sign-up has claimed and not completed. A
     mark with a past end tells a repeated call that it was revoked. It stays until the next invitation is made.
     KEYS     invitations (ZSET), auth (HASH)
     ARGV     deadline_ms, session_epoch (or ''), code
     Returns  'revoked' (by this call or an earlier one) | 'gone' (no such invitation, for example because it was used)
              | 'session_ended' ]]
-- flags: allow-oom
-- include: late, session_ended
local invitations, auth = unpack(KEYS)
local deadline_ms, session_epoch, code = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
local claim, mark = 'claimed:' .. code, 'revoked:' .. code
local is_there = redis.call('ZSCORE', invitations, code) or redis.call('ZSCORE', invitations, claim)
local was_revoked = redis.call('ZSCORE', invitations, mark)
-- A removal that is repeated is written too.
redis.call('ZADD', invitations, 1, code)
redis.call('ZREM', invitations, code, claim)
if is_there then redis.call('ZADD', invitations, 1, mark) end
return (is_there or was_revoked) and 'revoked' or 'gone'
