--[[ begin_export.lua: begins an export of an account. One is under way at a time, unless the last pass was long
     ago, or lies as far ahead because the clock was set back.
     KEYS     export (HASH), auth (HASH)
     ARGV     deadline_ms, token, total (number of statuses), stale_ms, ttl_s, session_epoch (or '')
     Returns  'begun' (by this call or an earlier try) | 'under_way' | 'unknown_user' | 'session_ended' ]]
-- include: late, session_ended, rewrite_field
local export, auth = unpack(KEYS)
local deadline_ms, token, total, stale_ms, ttl_s, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('EXISTS', auth) == 0 then return 'unknown_user' end
if session_ended(auth, session_epoch) then return 'session_ended' end
local old, stage, at = unpack(redis.call('HMGET', export, 'token', 'stage', 'at'))
if old == token then
  rewrite_field(export, 'token')
  return 'begun'
end
local now = redis.call('TIME')
local now_ms = tonumber(now[1]) * 1000 + math.floor(tonumber(now[2]) / 1000)
local is_under_way = stage and stage ~= 'done' and stage ~= 'failed' and stage ~= 'no_space'
if is_under_way and math.abs(now_ms - tonumber(at)) < tonumber(stale_ms) then return 'under_way' end
local time = string.format('%.0f', now_ms)
redis.call('DEL', export)
redis.call('HSET', export, 'token', token, 'stage', 'posts', 'step', 0, 'done', 0, 'total', total, 'begun', time, 'at', time)
redis.call('EXPIRE', export, ttl_s)
return 'begun'
