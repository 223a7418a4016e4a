--[[ file_status.lua: adds a status to the profile and to the home of its author, and counts its bytes. A deleted
     author has neither.
     KEYS     profile (ZSET), user (HASH), home (ZSET), active_mark (STRING), arrivals (STREAM),
              channel (of the author), post_bytes (HASH), posts (ZSET; omitted for a reply)
     ARGV     deadline_ms, status_id, home_size, extra_bytes (that it counts as beyond the base)
     Returns  'OK' ]]
-- include: late, parse_mark, trim_timeline, notify_watchers, count_bytes
local profile, user, home, active_mark, arrivals, channel, post_bytes, posts = unpack(KEYS)
local deadline_ms, status_id, home_size, extra_bytes = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('HEXISTS', user, 'gone') == 1 then return redis.status_reply('OK') end
redis.call('ZADD', profile, '-' .. status_id, status_id)
if posts then redis.call('ZADD', posts, '-' .. status_id, status_id) end
redis.call('HSET', user, 'posts', redis.call('ZCARD', profile))
count_bytes(post_bytes, status_id, extra_bytes)
local mark = redis.call('GET', active_mark)
if not mark then
  redis.call('UNLINK', home)
elseif tonumber(status_id) > parse_mark(mark) then
  redis.call('ZADD', home, '-' .. status_id, status_id)
  trim_timeline(home, active_mark, tonumber(home_size))
end
notify_watchers(arrivals, channel)
return redis.status_reply('OK')
