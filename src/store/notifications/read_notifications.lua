--[[ store/notifications/read_notifications.lua — reads all that a person is told, and how far they had read
     before this visit. A visit of the first page counts all of it as read; it ends when that was not
     visited for 15 minutes. What is remembered is written where something is new and once a minute
     at most besides, and not at all where Redis takes no writes.
     KEYS[1] ZSET notifications   KEYS[2] HASH read_marker
     KEYS[3] STREAM arrivals      KEYS[4] channel of this person
     ARGV[1] 'visit', or 'glance' where nothing is counted as read by this
     Returns {score up to which all was read before this visit (µs), members and scores, newest first} ]]
local told = redis.call('ZRANGE', KEYS[1], '+inf', '(0', 'BYSCORE', 'REV', 'WITHSCORES')
local held = redis.call('HMGET', KEYS[2], 'read', 'before', 'at')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local idle = now - tonumber(held[3] or 0)

local read = tonumber(held[1] or 0)
local before = idle < VISIT_MS and tonumber(held[2] or 0) or read
if ARGV[1] == 'visit' then
  local newest = math.max(read, tonumber(told[2] or 0))
  if newest > read or idle >= MINUTE_MS then
    redis.pcall('HSET', KEYS[2], 'read', string.format('%.0f', newest),
      'before', string.format('%.0f', before), 'at', now)
  end
  if newest > read then tell(KEYS[3], KEYS[4]) end
end
return {string.format('%.0f', before), told}
