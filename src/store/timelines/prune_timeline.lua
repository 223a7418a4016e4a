--[[ prune_timeline.lua: removes statuses from a timeline, a home or a list, that do not belong there.
     KEYS     timeline (ZSET), sources (ZSET: followed people, or members of the list),
              active_mark (STRING); for a home also excluded (ZSET), hidden_reposts (ZSET),
              followed_tags (ZSET), arrivals (STREAM), channel (of the reader)
     ARGV     few, then status_header ('' of a deleted status), status_id, …
     Returns  'enough' (the timeline is complete or large enough) | 'short' (fewer than `few` are left
              above a floor, so the timeline should be rebuilt) ]]
-- include: parse_header, belongs, notify_watchers, is_short
local timeline, sources, active_mark, excluded, hidden_reposts, followed_tags, arrivals, channel = unpack(KEYS)
local few = ARGV[1]
local removed = 0
for i = 2, #ARGV, 2 do
  local header, id = ARGV[i], ARGV[i + 1]
  if header == '' or not belongs(timeline, sources, excluded, hidden_reposts, followed_tags, parse_header(header)) then
    removed = removed + redis.call('ZREM', timeline, id)
  end
end
if removed > 0 and arrivals then notify_watchers(arrivals, channel) end
return is_short(timeline, active_mark, few) and 'short' or 'enough'
