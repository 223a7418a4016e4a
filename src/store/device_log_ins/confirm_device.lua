--[[ confirm_device.lua: lets the device log in that shows this code. After too many wrong codes the link is deleted.
     It works with full memory, because people log in to delete.
     KEYS     device_log_in (HASH), auth (HASH)
     ARGV     deadline_ms, code, max_tries, session_epoch (or '')
     Returns  'confirmed' (by this call or an earlier one) | 'wrong' | 'gone' (no device waits) | 'session_ended' ]]
-- flags: allow-oom
-- include: late, session_ended
local device_log_in, auth = unpack(KEYS)
local deadline_ms, code, max_tries, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
local shown = redis.call('HGET', device_log_in, 'code')
if not shown then return 'gone' end
if shown == code then
  redis.call('HSET', device_log_in, 'confirmed', 1)
  return 'confirmed'
end
if redis.call('HINCRBY', device_log_in, 'tries', 1) < tonumber(max_tries) then return 'wrong' end
redis.call('DEL', device_log_in)
return 'gone'
