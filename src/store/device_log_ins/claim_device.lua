--[[ claim_device.lua: binds a link to the first device that opens it. The link then opens nothing for others.
     It works with full memory, because people log in to delete.
     KEYS     device_log_in (HASH)
     ARGV     deadline_ms, link (its digest), device (digest of its secret), code (that the device shows), agent
     Returns  'claimed' (by this call or an earlier try) | 'gone' (no such link, or another device has claimed it) ]]
-- flags: allow-oom
-- include: late
local device_log_in = KEYS[1]
local deadline_ms, link, device, code, agent = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local own_link, own_device = unpack(redis.call('HMGET', device_log_in, 'link', 'device'))
if own_link ~= link or own_device and own_device ~= device then return 'gone' end
redis.call('HSET', device_log_in, 'device', device, 'code', code, 'agent', agent)
return 'claimed'
