--[[ raise_activity.lua: stores the time of the last activity of a group, if the stored one is much older.
     KEYS     group (HASH)
     ARGV     deadline_ms, active_us, least_us (by which it must be older)
     Returns  'raised' | 'unchanged' (or there is no such group) ]]
-- include: late
local group = KEYS[1]
local deadline_ms, active_us, least_us = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local slug, gone, active = unpack(redis.call('HMGET', group, 'slug', 'gone', 'active'))
if not slug or gone then return 'unchanged' end
if tonumber(active or 0) + tonumber(least_us) > tonumber(active_us) then return 'unchanged' end
redis.call('HSET', group, 'active', active_us)
return 'raised'
