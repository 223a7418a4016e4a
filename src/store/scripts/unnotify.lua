--[[ store/scripts/unnotify.lua — takes something back that a person was told, as it is not so any more.
     KEYS[1] ZSET notifications   KEYS[2] STREAM arrivals   KEYS[3] channel of this person
     ARGV[1] deadline (ms), or '' where it is not so for good
     ARGV[2] what (a member of notifications)
     Returns 1 taken back | 0 they were not told, or not any more ]]
if ARGV[1] ~= '' and late(ARGV[1]) then return redis.error_reply(LATE) end
local taken = redis.call('ZREM', KEYS[1], ARGV[2])
if taken == 1 then tell(KEYS[2], KEYS[3]) end
return taken
