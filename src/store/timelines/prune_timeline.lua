--[[ prune_timeline.lua: removes statuses from a timeline, a home or a list, that do not belong there.
     KEYS     keys (of timeline_keys); for a home also arrivals (STREAM), channel (of the reader)
     ARGV     few, then status_header ('' of a deleted status), status_id, …
     Returns  'enough' (the timeline is complete or large enough) | 'short' (fewer than `few` are left
              above a floor, so the timeline should be rebuilt) ]]
-- flags: allow-oom
-- include: parse_header, timeline_keys, belongs, notify_watchers, is_short
local keys = timeline_keys(1)
local arrivals, channel = unpack(KEYS, keys.next)
local few = ARGV[1]
local removed = 0
for i = 2, #ARGV, 2 do
  local header, id = ARGV[i], ARGV[i + 1]
  if header == '' or not belongs(keys, parse_header(header)) then
    removed = removed + redis.call('ZREM', keys.timeline, id)
  end
end
if removed > 0 and arrivals then notify_watchers(arrivals, channel) end
return is_short(keys.timeline, keys.active_mark, few) and 'short' or 'enough'
