--[[ unnotify.lua: takes a notification back.
     KEYS     notifications (ZSET), read_marker (HASH), arrivals (STREAM), channel (of the user)
     ARGV     deadline_ms ('' for a call that may be late), max_notifications, notification,
              reason ('retracted': the event may happen again | 'gone': it cannot)
     Returns  'removed' | 'unchanged' (there was no such notification) ]]
-- flags: allow-oom
-- include: late, retract_notification, notify_watchers
local notifications, read_marker, arrivals, channel = unpack(KEYS)
local deadline_ms, max_notifications, notification, reason = unpack(ARGV)
if deadline_ms ~= '' and late(deadline_ms) then return redis.error_reply(LATE) end
local is_removed
if reason == 'retracted' then
  is_removed = retract_notification(notifications, read_marker, max_notifications, notification)
else
  is_removed = redis.call('ZREM', notifications, notification) == 1
end
if not is_removed then return 'unchanged' end
notify_watchers(arrivals, channel)
return 'removed'
