--[[ note_pass.lua: stores the progress of the delivery of a status, and says whether the status still
     exists with the tags and readers that the pass used. The progress never decreases and disappears with the last
     pass, so a pass that runs twice counts once.
     KEYS     status (HASH)
     ARGV     deadline_ms, delivered_to (score of the last follower reached, µs; 0 after the last pass),
              tags, readers (of the status, as the pass read them; '' for everyone)
     Returns  'OK' | 'header_changed' (nothing is stored) | 'deleted' (or missing) ]]
-- include: late
local status = KEYS[1]
local deadline_ms, delivered_to, tags, readers = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local uid, deleted, stored, current_tags, current_readers =
  unpack(redis.call('HMGET', status, 'uid', 'deleted', 'delivered', 'tags', 'readers'))
if not uid or deleted then return 'deleted' end
if (current_tags or '') ~= tags or (current_readers or '') ~= readers then return 'header_changed' end
if delivered_to == '0' then
  redis.call('HDEL', status, 'delivered')
elseif tonumber(delivered_to) > tonumber(stored or 0) then
  redis.call('HSET', status, 'delivered', delivered_to)
end
return redis.status_reply('OK')
