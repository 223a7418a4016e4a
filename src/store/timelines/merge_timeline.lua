--[[ merge_timeline.lua: merges statuses of one source into a timeline, a home or a list, if they belong
     there. Ids below the floor are left out: pages below it come from profiles.
     KEYS     timeline (ZSET), sources (ZSET: followed people, or members of the list),
              active_mark (STRING); for a home also excluded (ZSET), hidden_reposts (ZSET),
              followed_tags (ZSET)
     ARGV     deadline_ms, timeline_size, source (a user id or a tag), new_floor (to which the floor rises
              while the source is one; 0 if all older statuses were read), then status_header, status_id, …
     Returns  'merged' | 'dormant' ]]
-- include: late, raise_floor, parse_mark, parse_header, belongs, trim_timeline
local timeline, sources, active_mark, excluded, hidden_reposts, followed_tags = unpack(KEYS)
local deadline_ms, timeline_size, source, new_floor = unpack(ARGV, 1, 4)
if late(deadline_ms) then return redis.error_reply(LATE) end
local mark = redis.call('GET', active_mark)
if not mark then
  redis.call('UNLINK', timeline)
  return 'dormant'
end
local is_source = redis.call('ZSCORE', sources, source) and not (excluded and redis.call('ZSCORE', excluded, source))
  or followed_tags and redis.call('ZSCORE', followed_tags, source)
if is_source then raise_floor(active_mark, tonumber(new_floor)) end
local floor = parse_mark(redis.call('GET', active_mark))
for i = 5, #ARGV, 2 do
  local header, id = ARGV[i], ARGV[i + 1]
  if tonumber(id) >= floor
    and belongs(timeline, sources, excluded, hidden_reposts, followed_tags, parse_header(header)) then
    redis.call('ZADD', timeline, '-' .. id, id)
  end
end
redis.call('ZREMRANGEBYSCORE', timeline, '(' .. string.format('%.0f', -floor), '+inf')
trim_timeline(timeline, active_mark, tonumber(timeline_size))
return 'merged'
