--[[ notify.lua: notifies a user once of an event that another user caused. A user who mutes texts or conversations
     is notified only after the caller has decided whether that mutes the status of the event. The caller names the
     mutes that it decided by. If the user has changed them since, nothing is written, and the caller decides again.
     KEYS     user (HASH), muted_texts (ZSET), muted_conversations (ZSET), notifications (ZSET),
              read_marker (HASH), arrivals (STREAM), channel (of the user), muted (ZSET), blocked (ZSET),
              blocked_by (ZSET), following (ZSET)
     ARGV     deadline_ms, max_notifications, notification, at_us (time of the event),
              decided_by (the digest of the mutes; '' for none, and before a decision)
     Returns  'notified' | 'unchanged' (not new to this user, caused by a muted or blocked person, or
              no such user) | the digest of the mutes to decide by ('' if there are none now) ]]
-- include: late, add_notification, notify_watchers, is_muted_or_blocked, digest_of_mutes
local user, muted_texts, muted_conversations, notifications, read_marker, arrivals, channel, muted, blocked, blocked_by, following = unpack(KEYS)
local deadline_ms, max_notifications, notification, at_us, decided_by = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('HEXISTS', user, 'login') == 0 then return 'unchanged' end
if is_muted_or_blocked(muted, blocked, blocked_by, string.match(notification, '%d+$')) then return 'unchanged' end
local is_about_status = string.match(notification, ':(%d+):') ~= '0'
local digest = is_about_status and digest_of_mutes(muted_texts, muted_conversations) or ''
if digest ~= decided_by then return digest end
local is_new = add_notification(notifications, read_marker, following, max_notifications, notification, at_us)
if not is_new then return 'unchanged' end
notify_watchers(arrivals, channel)
return 'notified'
