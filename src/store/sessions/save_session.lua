--[[ save_session.lua: begins a session, if its epoch is still valid.
     KEYS     session (STRING), sessions (ZSET), auth (HASH)
     ARGV     epoch, digest, state, ttl_s, now_ms, max_sessions (of one user)
     Returns  {'saved', digests of the oldest sessions beyond the maximum, which are now unlisted}
              | {'session_ended'} (the epoch is over) ]]
-- flags: allow-oom
local session, sessions, auth = unpack(KEYS)
local epoch, digest, state, ttl_s, now_ms, max_sessions = unpack(ARGV)
if redis.call('HGET', auth, 'epoch') ~= epoch then return {'session_ended'} end
redis.call('SET', session, state, 'EX', ttl_s)
redis.call('ZADD', sessions, now_ms, digest)
redis.call('EXPIRE', sessions, ttl_s)
local excess = redis.call('ZCARD', sessions) - tonumber(max_sessions)
if excess <= 0 then return {'saved'} end
local oldest = redis.call('ZRANGE', sessions, 0, excess - 1)
redis.call('ZREM', sessions, unpack(oldest))
return {'saved', unpack(oldest)}
