--[[ unmirror_relation.lua: removes the mirror of a relation and updates its count. A user loses the
     notification of the relation.
     KEYS     mirror (ZSET), record (HASH with the count: a user or a status; absent without a count),
              notifications (ZSET; from here on only for a user), read_marker (HASH), arrivals (STREAM),
              channel (of the user)
     ARGV     deadline_ms ('' for a call that may be late), member, count_field (or ''),
              score (a member with another score stays; '' for any), notification (or ''),
              max_notifications
     Returns  the size of the mirror ]]
-- flags: allow-oom
-- include: late, status_exists, retract_notification, notify_watchers
local mirror, record, notifications, read_marker, arrivals, channel = unpack(KEYS)
local deadline_ms, member, count_field, score, notification, max_notifications = unpack(ARGV)
if deadline_ms ~= '' and late(deadline_ms) then return redis.error_reply(LATE) end
if score ~= '' then
  local current = redis.call('ZSCORE', mirror, member)
  if not current or string.format('%.0f', current) ~= score then return redis.call('ZCARD', mirror) end
end
redis.call('ZREM', mirror, member)
local size = redis.call('ZCARD', mirror)
if not record then return size end
if not notifications then
  if status_exists(record) then redis.call('HSET', record, count_field, size) end
elseif redis.call('HEXISTS', record, 'login') == 1 then
  redis.call('HSET', record, count_field, size)
  retract_notification(notifications, read_marker, max_notifications, notification)
  notify_watchers(arrivals, channel)
end
return size
