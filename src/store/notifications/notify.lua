--[[ store/notifications/notify.lua — tells a person once of something that another did.
     KEYS[1] ZSET notifications   KEYS[2] HASH read_marker   KEYS[3] HASH user
     KEYS[4] STREAM arrivals      KEYS[5] channel of this person
     ARGV[1] deadline (ms)        ARGV[2] how many are kept
     ARGV[3] what (a member of notifications)   ARGV[4] when it happened (µs)
     Returns 1 told now | 0 nothing new to this person, or nobody there ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
if redis.call('HEXISTS', KEYS[3], 'login') == 0 then return 0 end
if not notify(KEYS[1], KEYS[2], ARGV[2], ARGV[3], ARGV[4]) then return 0 end
tell(KEYS[4], KEYS[5])
return 1
