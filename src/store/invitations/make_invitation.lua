--[[ make_invitation.lua: makes an invitation. Invitations that have ended do not count, and are removed unless the clock
     may be wrong.
     KEYS     invitations (ZSET), user (HASH), auth (HASH)
     ARGV     deadline_ms, session_epoch (or ''), code, term_ms, limit (of unused invitations),
              min_age_ms (of the account), removable_ms (invitations that ended later stay)
     Returns  'made' | 'too_young' (the account) | 'too_many' | 'session_ended' ]]
-- include: late, session_ended
local invitations, user, auth = unpack(KEYS)
local deadline_ms, session_epoch, code, term_ms, limit, min_age_ms, removable_ms = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local removable = math.min(now, tonumber(removable_ms))
redis.call('ZREMRANGEBYSCORE', invitations, '-inf', string.format('%.0f', removable))
redis.call('ZREM', invitations, code)
local signup = tonumber(redis.call('HGET', user, 'signup') or now)
-- The app estimates this clock, so the time of a sign-up can be a millisecond ahead.
if math.max(now - signup, 0) < tonumber(min_age_ms) then return 'too_young' end
local unused = redis.call('ZCOUNT', invitations, '(' .. string.format('%.0f', now), '+inf')
if unused >= tonumber(limit) then return 'too_many' end
redis.call('ZADD', invitations, string.format('%.0f', now + tonumber(term_ms)), code)
return 'made'
