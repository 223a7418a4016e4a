--[[ recount_acts.lua: replaces the numbers of acts by those that were counted in the log, unless an act was logged
     meanwhile.
     KEYS     log (ZSET), act_counts (HASH)
     ARGV     last_us (the time of the last act that was counted, or '0'), then field, number, …
     Returns  'counted' | 'outdated' (an act was logged meanwhile) ]]
local log, act_counts = unpack(KEYS)
local last_us = ARGV[1]
local last = redis.call('ZRANGE', log, -1, -1, 'WITHSCORES')
if tonumber(last[2] or 0) ~= tonumber(last_us) then return 'outdated' end
redis.call('DEL', act_counts)
for at = 2, #ARGV, 2 do redis.call('HSET', act_counts, ARGV[at], ARGV[at + 1]) end
return 'counted'
