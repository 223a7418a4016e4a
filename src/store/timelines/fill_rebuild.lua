--[[ fill_rebuild.lua: adds merged statuses to a timeline that is being rebuilt, if they still belong there.
     KEYS     timeline (ZSET), sources (ZSET: followed people, or members of the list),
              active_mark (STRING); for a home also excluded (ZSET), hidden_reposts (ZSET),
              followed_tags (ZSET)
     ARGV     token, timeline_size, then status_header, status_id, …
     Returns  'added' | 'superseded' (the token is not valid any more) ]]
-- include: parse_mark, parse_header, belongs, trim_timeline
local timeline, sources, active_mark, excluded, hidden_reposts, followed_tags = unpack(KEYS)
local token, timeline_size = unpack(ARGV, 1, 2)
local mark = redis.call('GET', active_mark)
local floor, current_token = parse_mark(mark or '0')
if current_token ~= token then return 'superseded' end
for i = 3, #ARGV, 2 do
  local header, id = ARGV[i], ARGV[i + 1]
  if tonumber(id) > floor
    and belongs(timeline, sources, excluded, hidden_reposts, followed_tags, parse_header(header)) then
    redis.call('ZADD', timeline, '-' .. id, id)
  end
end
trim_timeline(timeline, active_mark, tonumber(timeline_size))
return 'added'
