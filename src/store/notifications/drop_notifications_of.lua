--[[ drop_notifications_of.lua: removes all notifications of a user that begin with one of these texts: of a kind, about a
     thing. The open streams of the user read again.
     KEYS     notifications (ZSET), arrivals (STREAM), channel (of the user)
     ARGV     deadline_ms, then beginnings
     Returns  the number of removed notifications ]]
-- flags: allow-oom
-- include: late, notify_watchers
local notifications, arrivals, channel = unpack(KEYS)
local deadline_ms = ARGV[1]
if late(deadline_ms) then return redis.error_reply(LATE) end
local found = {}
for _, notification in ipairs(redis.call('ZRANGE', notifications, 0, -1)) do
  for at = 2, #ARGV do
    if string.sub(notification, 1, #ARGV[at]) == ARGV[at] then found[#found + 1] = notification end
  end
end
if #found > 0 then
  redis.call('ZREM', notifications, unpack(found))
  notify_watchers(arrivals, channel)
end
return #found
