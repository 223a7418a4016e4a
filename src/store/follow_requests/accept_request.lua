--[[ accept_request.lua: turns a request to follow a person into a follow, in the slot of the user who asked.
     The user is notified, unless they mute that person or one of them blocks the other.
     KEYS     following (ZSET), requested (ZSET), user (HASH), notifications (ZSET), read_marker (HASH),
              arrivals (STREAM), channel (of the user), muted (ZSET), blocked (ZSET), blocked_by (ZSET)
     ARGV     deadline_ms, person, limit (of followed people), notification, max_notifications
     Returns  'accepted' (by this call or an earlier one) | 'too_many' (the request stays)
              | 'not_found' (no such user, or no request) ]]
-- include: late, rewrite_field, next_score, notify_watchers, is_blocked_either_way, is_muted_or_blocked, add_notification
local following, requested, user, notifications, read_marker, arrivals, channel, muted, blocked, blocked_by = unpack(KEYS)
local deadline_ms, person, limit, notification, max_notifications = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('HEXISTS', user, 'login') == 0 then return 'not_found' end
if redis.call('ZSCORE', following, person) then
  redis.call('ZREM', requested, person)
  rewrite_field(user, 'login')
  return 'accepted'
end
if not redis.call('ZSCORE', requested, person) or is_blocked_either_way(blocked, blocked_by, person) then
  rewrite_field(user, 'login')
  return 'not_found'
end
if redis.call('ZCARD', following) >= tonumber(limit) then return 'too_many' end
local score = next_score(following)
redis.call('ZADD', following, score, person)
redis.call('ZREM', requested, person)
redis.call('HSET', user, 'following', redis.call('ZCARD', following))
if not is_muted_or_blocked(muted, blocked, blocked_by, person) then
  add_notification(notifications, read_marker, following, max_notifications, notification, score)
end
notify_watchers(arrivals, channel)
return 'accepted'
