--[[ make_invitation.lua: makes an invitation. Invitations that have ended are removed.
     KEYS     invitations (ZSET), user (HASH), auth (HASH)
     ARGV     deadline_ms, session_epoch (or ''), code, term_ms, limit (of unused invitations),
              min_age_ms (of the account)
     Returns  'made' | 'too_young' (the account) | 'too_many' | 'session_ended' ]]
-- include: late, session_ended
local invitations, user, auth = unpack(KEYS)
local deadline_ms, session_epoch, code, term_ms, limit, min_age_ms = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', invitations, '-inf', string.format('%.0f', now))
redis.call('ZREM', invitations, code)
local signup = tonumber(redis.call('HGET', user, 'signup') or now)
if now - signup < tonumber(min_age_ms) then return 'too_young' end
if redis.call('ZCARD', invitations) >= tonumber(limit) then return 'too_many' end
redis.call('ZADD', invitations, string.format('%.0f', now + tonumber(term_ms)), code)
return 'made'
