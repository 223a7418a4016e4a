--[[ read_notifications.lua: reads all notifications of a user, and the score up to which none is new. A
     visit of the first page marks them all as read, and writes the marker only if something is new. The
     first page shows them as new for a minute after that, so that a reload keeps the marks. Notifications
     that arrive within that minute prolong it. Later pages show the marks for 15 minutes. Where Redis
     takes no writes, nothing is marked.
     KEYS     notifications (ZSET), read_marker (HASH), arrivals (STREAM), channel (of the user)
     ARGV     mode ('' | 'prefetch': marks nothing as read), part ('first' | 'later': of the pages)
     Returns  {score up to which nothing is new (µs), {notification, score, …}, newest first} ]]
-- include: MINUTE_MS, notify_watchers
local notifications, read_marker, arrivals, channel = unpack(KEYS)
local mode, part = unpack(ARGV)
local log = redis.call('ZRANGE', notifications, '+inf', '(0', 'BYSCORE', 'REV', 'WITHSCORES')
local marker = redis.call('HMGET', read_marker, 'read', 'before', 'at')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local age = now - tonumber(marker[3] or 0)

local read = tonumber(marker[1] or 0)
local new_for = part == 'later' and VISIT_MS or MINUTE_MS
local before = age >= 0 and age < new_for and tonumber(marker[2] or 0) or read
if mode ~= 'prefetch' then
  local newest = math.max(read, tonumber(log[2] or 0))
  if newest > read or age < 0 then
    redis.pcall('HSET', read_marker, 'read', string.format('%.0f', newest),
      'before', string.format('%.0f', before), 'at', now)
  end
  if newest > read then notify_watchers(arrivals, channel) end
end
return {string.format('%.0f', before), log}
