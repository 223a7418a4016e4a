--[[ offer_device.lua: stores the link by which another device of a user logs in. It replaces the link before.
     It works with full memory, because people log in to delete.
     KEYS     device_log_in (HASH), auth (HASH)
     ARGV     deadline_ms, link (its digest), ttl_s, session_epoch (or '')
     Returns  'offered' | 'unknown_user' | 'session_ended' ]]
-- flags: allow-oom
-- include: late, session_ended
local device_log_in, auth = unpack(KEYS)
local deadline_ms, link, ttl_s, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local epoch = redis.call('HGET', auth, 'epoch')
if not epoch then return 'unknown_user' end
if session_ended(auth, session_epoch) then return 'session_ended' end
redis.call('DEL', device_log_in)
redis.call('HSET', device_log_in, 'link', link, 'epoch', epoch)
redis.call('EXPIRE', device_log_in, ttl_s)
return 'offered'
