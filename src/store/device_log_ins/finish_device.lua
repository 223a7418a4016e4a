--[[ finish_device.lua: uses up a link for the device that claimed it, after it was confirmed. An end of all sessions
     since the link was made has ended the link.
     KEYS     device_log_in (HASH), auth (HASH)
     ARGV     deadline_ms, device (digest of its secret)
     Returns  {'entered', epoch of the user} | {'waiting', code} | {'gone'} ]]
-- include: late
local device_log_in, auth = unpack(KEYS)
local deadline_ms, device = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local own, confirmed, code, epoch = unpack(redis.call('HMGET', device_log_in, 'device', 'confirmed', 'code', 'epoch'))
if own ~= device or redis.call('HGET', auth, 'epoch') ~= epoch then return {'gone'} end
if not confirmed then return {'waiting', code} end
redis.call('DEL', device_log_in)
return {'entered', epoch}
