--[[ deliver.lua: adds one status to timelines, homes or lists, on which it still belongs. A status that
     arrives late on a home counts as unseen, and a watched home publishes the change. A dormant timeline
     takes nothing, nor does one whose floor is above the status. On a cluster all timelines are in one
     slot.
     KEYS     of each timeline: keys (of timeline_keys for this header); for a home also reading (HASH),
              arrivals (STREAM), channel (of the reader)
     ARGV     deadline_ms, status_header, status_id, timeline_size, keys_per_timeline
     Returns  the places, from 0, of the timelines on which the status does not belong; an error if a
              timeline refused the write, which does not keep it from the others ]]
-- include: late, parse_header, timeline_keys, belongs, parse_mark, mark_unseen, log_arrival, trim_timeline
local deadline_ms, status_header, status_id, timeline_size, keys_per_timeline = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local id, size, key_count = tonumber(status_id), tonumber(timeline_size), tonumber(keys_per_timeline)
local header = parse_header(status_header)

-- Returns false if the status does not belong on the timeline.
local function deliver(keys, reading, arrivals, channel)
  local mark = redis.call('GET', keys.active_mark)
  if not mark then
    redis.call('UNLINK', keys.timeline)
    return true
  end
  if not belongs(keys, header) then return false end
  if id <= parse_mark(mark) then return true end
  if redis.call('ZADD', keys.timeline, '-' .. status_id, status_id) == 1 and reading then
    mark_unseen(reading, id)
    log_arrival(arrivals, channel, status_id, header.author .. ' ' .. header.original_author)
  end
  trim_timeline(keys.timeline, keys.active_mark, size)
  return true
end

-- A timeline that refuses the write does not stop the others. The call fails at the end.
local unwanted, failure = {}, nil
for first = 1, #KEYS, key_count do
  local keys = timeline_keys(first, header)
  local ok, result = pcall(deliver, keys, unpack(KEYS, keys.next, first + key_count - 1))
  if not ok then failure = result end
  if result == false then unwanted[#unwanted + 1] = (first - 1) / key_count end
end
if type(failure) == 'table' then return failure end
if failure then return redis.error_reply(failure) end
return unwanted
