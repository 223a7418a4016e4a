--[[ store/follows/unmirror_edge.lua — takes one out of somebody's audience and, where that is counted,
     takes back what they were told of it.
     KEYS[1] ZSET audience      KEYS[2] HASH user
     KEYS[3] STREAM arrivals    KEYS[4] channel of this person     KEYS[5] ZSET notifications
     KEYS[6] HASH read_marker, these four where it is counted
     ARGV[1] deadline (ms)      ARGV[2] whom to take out
     ARGV[3] field of user that counts this audience, or ''
     ARGV[4] what they were told (a member of notifications), where it is counted, and
     ARGV[5] how many of these are kept
     Returns the size of the audience ]]
-- include: late, retract_notification, notify_watchers
if late(ARGV[1]) then return redis.error_reply(LATE) end
redis.call('ZREM', KEYS[1], ARGV[2])
local count = redis.call('ZCARD', KEYS[1])
if ARGV[3] ~= '' and redis.call('HEXISTS', KEYS[2], 'login') == 1 then
  redis.call('HSET', KEYS[2], ARGV[3], count)
  retract_notification(KEYS[5], KEYS[6], ARGV[5], ARGV[4])
  notify_watchers(KEYS[3], KEYS[4])
end
return count
