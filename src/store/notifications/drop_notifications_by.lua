--[[ drop_notifications_by.lua: removes notifications that these people caused, and makes the open streams of the user read
     again.
     KEYS     notifications (ZSET), arrivals (STREAM), channel (of the user)
     ARGV     limit (of removed notifications), then person, …
     Returns  the number of removed notifications ]]
-- flags: allow-oom
-- include: notify_watchers
local notifications, arrivals, channel = unpack(KEYS)
local limit = ARGV[1]
local max_found = tonumber(limit)
local is_gone = {}
for person = 2, #ARGV do is_gone[ARGV[person]] = true end
local found = {}
for _, notification in ipairs(redis.call('ZRANGE', notifications, 0, -1)) do
  if #found == max_found then break end
  if is_gone[string.match(notification, '%d+$')] then found[#found + 1] = notification end
end
if #found > 0 then redis.call('ZREM', notifications, unpack(found)) end
notify_watchers(arrivals, channel)
return #found
