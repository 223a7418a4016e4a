--[[ save_session.lua: begins a session, if its epoch is still valid. It is listed as the newest one, also after the clock
     was set back, so it is not one of those beyond the maximum.
     KEYS     session (STRING), sessions (ZSET), auth (HASH)
     ARGV     epoch, digest, state, ttl_s, now_ms, max_sessions (of one user)
     Returns  {'saved', digests of the oldest sessions beyond the maximum, which are now unlisted}
              | {'session_ended'} (the epoch is over) ]]
-- flags: allow-oom
local session, sessions, auth = unpack(KEYS)
local epoch, digest, state, ttl_s, now_ms, max_sessions = unpack(ARGV)
if redis.call('HGET', auth, 'epoch') ~= epoch then return {'session_ended'} end
redis.call('SET', session, state, 'EX', ttl_s)
local newest, seen_ms = unpack(redis.call('ZRANGE', sessions, -1, -1, 'WITHSCORES'))
if newest and newest ~= digest and tonumber(seen_ms) >= tonumber(now_ms) then
  now_ms = string.format('%.0f', seen_ms + 1)
end
redis.call('ZADD', sessions, 'GT', now_ms, digest)
redis.call('EXPIRE', sessions, ttl_s)
local excess = redis.call('ZCARD', sessions) - tonumber(max_sessions)
if excess <= 0 then return {'saved'} end
local oldest = redis.call('ZRANGE', sessions, 0, excess - 1)
redis.call('ZREM', sessions, unpack(oldest))
return {'saved', unpack(oldest)}
