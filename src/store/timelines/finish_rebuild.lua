--[[ finish_rebuild.lua: sets the floor of a timeline that was rebuilt.
     KEYS     timeline (ZSET), active_mark (STRING); for a home also arrivals (STREAM),
              channel (of the owner)
     ARGV     token, merge_floor, mark_ttl_s, few (with fewer statuses the floor is final)
     Returns  'finished' | 'superseded' (the token is not valid any more) ]]
-- include: parse_mark, format_final_floor, notify_watchers
local timeline, active_mark, arrivals, channel = unpack(KEYS)
local token, merge_floor, mark_ttl_s, few = unpack(ARGV)
local mark = redis.call('GET', active_mark)
local floor, current_token = parse_mark(mark or '0')
if current_token ~= token then return 'superseded' end
floor = math.max(floor, tonumber(merge_floor))
redis.call('ZREMRANGEBYSCORE', timeline, '(' .. string.format('%.0f', -floor), '+inf')
local is_final = floor > 0 and redis.call('ZCARD', timeline) < tonumber(few)
redis.call('SET', active_mark, is_final and format_final_floor(floor) or string.format('%.0f', floor), 'EX', mark_ttl_s)
if arrivals then notify_watchers(arrivals, channel) end
return 'finished'
