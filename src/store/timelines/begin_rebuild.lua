--[[ begin_rebuild.lua: empties a timeline and marks it as being rebuilt. The log of arrivals of a home is
     deleted: statuses that the rebuild merges are no arrivals.
     KEYS     timeline (ZSET), active_mark (STRING), owner (HASH that shows whether the timeline exists:
              user of a home, lists of a list); for a home also arrivals (STREAM), channel (of the owner)
     ARGV     token, building_ttl_s (of the mark), reason ('visit': begin if there is no mark; 'wrong':
              begin if there is a floor; 'short': the same if the timeline is still short),
              owner_field (of the HASH, present as long as the timeline exists), few
     Returns  'begun' | 'not_needed' ]]
-- include: parse_mark, is_short, publish_change
local timeline, active_mark, owner, arrivals, channel = unpack(KEYS)
local token, building_ttl_s, reason, owner_field, few = unpack(ARGV)
if redis.call('HEXISTS', owner, owner_field) == 0 then return 'not_needed' end
local mark = redis.call('GET', active_mark)
if mark and select(2, parse_mark(mark)) == token then return 'begun' end
if reason == 'visit' and mark then return 'not_needed' end
if reason == 'short' and not is_short(timeline, active_mark, few) then return 'not_needed' end
if reason == 'wrong' and (not mark or string.find(mark, 'building:', 1, true)) then return 'not_needed' end
-- With full memory Redis refuses this write, so it comes first: the timeline stays.
redis.call('SET', active_mark, 'building:' .. token .. ':0', 'EX', building_ttl_s)
redis.call('UNLINK', timeline)
if arrivals and redis.call('UNLINK', arrivals) == 1 then publish_change(channel) end
return 'begun'
