--[[ handle_case.lua: notes up to which event of a case people were notified and the log was written.
     KEYS     case (HASH)
     ARGV     deadline_ms, handled_us
     Returns  'handled' (up to this event or a later one) ]]
-- flags: allow-oom
-- include: late
local case = KEYS[1]
local deadline_ms, handled_us = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('EXISTS', case) == 0 then return 'handled' end
local handled = tonumber(redis.call('HGET', case, 'handled') or 0)
redis.call('HSET', case, 'handled', string.format('%.0f', math.max(handled, tonumber(handled_us))))
return 'handled'
