--[[ mark_noticed.lua: notes up to which act of a group its people have their notices.
     KEYS     group (HASH)
     ARGV     deadline_ms, at_us
     Returns  'done' ]]
-- flags: allow-oom
-- include: late
local group = KEYS[1]
local deadline_ms, at_us = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('HEXISTS', group, 'slug') == 1 and tonumber(redis.call('HGET', group, 'noticed') or 0) < tonumber(at_us) then
  redis.call('HSET', group, 'noticed', at_us)
end
return 'done'
