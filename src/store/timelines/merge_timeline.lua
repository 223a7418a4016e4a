--[[ merge_timeline.lua: merges statuses of one source into a timeline, a home or a list, if they belong
     there. Ids below the floor are left out: pages below it come from profiles.
     KEYS     keys (of timeline_keys)
     ARGV     deadline_ms, timeline_size, source (a user id, a tag, or '@' and a group id), new_floor (to which the floor rises
              while the source is one; 0 if all older statuses were read), then status_header, status_id, …
     Returns  'merged' | 'dormant' ]]
-- include: late, raise_floor, parse_mark, parse_header, timeline_keys, belongs, is_source, trim_timeline
local keys = timeline_keys(1)
local deadline_ms, timeline_size, source, new_floor = unpack(ARGV, 1, 4)
if late(deadline_ms) then return redis.error_reply(LATE) end
local mark = redis.call('GET', keys.active_mark)
if not mark then
  redis.call('UNLINK', keys.timeline)
  return 'dormant'
end
if is_source(keys, source) then raise_floor(keys.active_mark, tonumber(new_floor)) end
local floor = parse_mark(redis.call('GET', keys.active_mark))
for i = 5, #ARGV, 2 do
  local header, id = ARGV[i], ARGV[i + 1]
  if tonumber(id) >= floor and belongs(keys, parse_header(header)) then
    redis.call('ZADD', keys.timeline, '-' .. id, id)
  end
end
redis.call('ZREMRANGEBYSCORE', keys.timeline, '(' .. string.format('%.0f', -floor), '+inf')
trim_timeline(keys.timeline, keys.active_mark, tonumber(timeline_size))
return 'merged'
