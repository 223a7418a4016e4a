--[[ unfile_status.lua: removes a deleted status from the profile, the pinned posts, the home and the counted
     bytes of its author, and the notifications about it.
     KEYS     profile (ZSET), user (HASH), home (ZSET), arrivals (STREAM), channel (of the author),
              posts (ZSET), notifications (ZSET), post_bytes (HASH)
     ARGV     status_id
     Returns  'removed' ]]
-- flags: allow-oom
-- include: unpin, remove_notifications_about, notify_watchers, count_bytes
local profile, user, home, arrivals, channel, posts, notifications, post_bytes = unpack(KEYS)
local status_id = ARGV[1]
if redis.call('HEXISTS', user, 'gone') == 1 then return 'removed' end
redis.call('ZREM', profile, status_id)
redis.call('ZREM', home, status_id)
redis.call('ZREM', posts, status_id)
unpin(user, status_id)
redis.call('HSET', user, 'posts', redis.call('ZCARD', profile))
count_bytes(post_bytes, status_id, '0')
remove_notifications_about(notifications, status_id)
notify_watchers(arrivals, channel)
return 'removed'
