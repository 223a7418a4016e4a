--[[ withdraw.lua: removes deleted statuses from a timeline, a home or a list.
     KEYS     timeline (ZSET), active_mark (STRING); for a home also arrivals (STREAM),
              channel (of the reader)
     ARGV     few, then status_id, …
     Returns  'enough' (the timeline is complete or large enough) | 'short' (fewer than `few` are left
              above a floor, so the timeline should be rebuilt) ]]
-- flags: allow-oom
-- include: notify_watchers, is_short
local timeline, active_mark, arrivals, channel = unpack(KEYS)
local few = ARGV[1]
local removed = 0
for i = 2, #ARGV do removed = removed + redis.call('ZREM', timeline, ARGV[i]) end
if removed > 0 and arrivals then notify_watchers(arrivals, channel) end
return is_short(timeline, active_mark, few) and 'short' or 'enough'
