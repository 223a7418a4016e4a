--[[ fill_rebuild.lua: adds merged statuses to a timeline that is being rebuilt, if they still belong there.
     KEYS     keys (of timeline_keys)
     ARGV     token, timeline_size, then status_header, status_id, …
     Returns  'added' | 'superseded' (the token is not valid any more) ]]
-- include: parse_mark, parse_header, timeline_keys, belongs, trim_timeline
local keys = timeline_keys(1)
local token, timeline_size = unpack(ARGV, 1, 2)
local mark = redis.call('GET', keys.active_mark)
local floor, current_token = parse_mark(mark or '0')
if current_token ~= token then return 'superseded' end
for i = 3, #ARGV, 2 do
  local header, id = ARGV[i], ARGV[i + 1]
  if tonumber(id) > floor and belongs(keys, parse_header(header)) then
    redis.call('ZADD', keys.timeline, '-' .. id, id)
  end
end
trim_timeline(keys.timeline, keys.active_mark, tonumber(timeline_size))
return 'added'
