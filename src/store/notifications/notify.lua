--[[ notify.lua: notifies a user once of an event that another user caused.
     KEYS     user (HASH), notifications (ZSET), read_marker (HASH), arrivals (STREAM),
              channel (of the user), muted (ZSET), blocked (ZSET), blocked_by (ZSET), following (ZSET)
     ARGV     deadline_ms, max_notifications, notification, at_us (time of the event)
     Returns  'notified' | 'unchanged' (not new to this user, caused by a muted or blocked person, or
              no such user) ]]
-- include: late, add_notification, notify_watchers, is_unheard
local user, notifications, read_marker, arrivals, channel, muted, blocked, blocked_by, following = unpack(KEYS)
local deadline_ms, max_notifications, notification, at_us = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('HEXISTS', user, 'login') == 0 then return 'unchanged' end
if is_unheard(muted, blocked, blocked_by, string.match(notification, '%d+$')) then return 'unchanged' end
local is_new = add_notification(notifications, read_marker, following, max_notifications, notification, at_us)
if not is_new then return 'unchanged' end
notify_watchers(arrivals, channel)
return 'notified'
