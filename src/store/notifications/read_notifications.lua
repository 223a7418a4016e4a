--[[ read_notifications.lua: reads all notifications of a user, and how far they were read before this
     visit. A visit of the first page marks them all as read. It ends 15 minutes after the last one. The
     marker is written if something is new, else at most once a minute, and never where Redis takes no
     writes.
     KEYS     notifications (ZSET), read_marker (HASH), arrivals (STREAM), channel (of the user)
     ARGV     mode ('' | 'prefetch': marks nothing as read)
     Returns  {score up to which all was read before this visit (µs), {notification, score, …}, newest
              first} ]]
-- include: VISIT_MS, notify_watchers
local notifications, read_marker, arrivals, channel = unpack(KEYS)
local mode = ARGV[1]
local log = redis.call('ZRANGE', notifications, '+inf', '(0', 'BYSCORE', 'REV', 'WITHSCORES')
local marker = redis.call('HMGET', read_marker, 'read', 'before', 'at')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local idle = now - tonumber(marker[3] or 0)

local read = tonumber(marker[1] or 0)
local before = idle < VISIT_MS and tonumber(marker[2] or 0) or read
if mode ~= 'prefetch' then
  local newest = math.max(read, tonumber(log[2] or 0))
  if newest > read or idle >= MINUTE_MS or idle < 0 then
    redis.pcall('HSET', read_marker, 'read', string.format('%.0f', newest),
      'before', string.format('%.0f', before), 'at', now)
  end
  if newest > read then notify_watchers(arrivals, channel) end
end
return {string.format('%.0f', before), log}
