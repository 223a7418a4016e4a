--[[ finish_device.lua: uses up a link for the device that claimed it, after it was confirmed. An end of all sessions
     since the link was made has ended the link. The same device gets the same answer for some time, because its first
     answer can be lost.
     KEYS     device_log_in (HASH), auth (HASH)
     ARGV     deadline_ms, device (digest of its secret), repeat_s (for which the answer is repeated)
     Returns  {'entered', epoch of the user} | {'waiting', code} | {'gone'} ]]
-- flags: allow-oom
-- include: late
local device_log_in, auth = unpack(KEYS)
local deadline_ms, device, repeat_s = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local own, confirmed, code, epoch = unpack(redis.call('HMGET', device_log_in, 'device', 'confirmed', 'code', 'epoch'))
if own ~= device or redis.call('HGET', auth, 'epoch') ~= epoch then return {'gone'} end
if not confirmed then return {'waiting', code} end
if redis.call('HSET', device_log_in, 'entered', 1) == 1 then redis.call('EXPIRE', device_log_in, repeat_s, 'LT') end
return {'entered', epoch}
