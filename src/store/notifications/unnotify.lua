--[[ store/notifications/unnotify.lua — takes something back that a person was told, as it is not so any more.
     KEYS[1] ZSET notifications   KEYS[2] HASH read_marker
     KEYS[3] STREAM arrivals      KEYS[4] channel of this person
     ARGV[1] deadline (ms), or '' where it may be late
     ARGV[2] how many are kept    ARGV[3] what (a member of notifications)
     ARGV[4] 'retracted' where it may be done again, or 'gone' where it cannot
     Returns 1 taken back | 0 they were not told, or not any more ]]
if ARGV[1] ~= '' and late(ARGV[1]) then return redis.error_reply(LATE) end
local taken
if ARGV[4] == 'retracted' then
  taken = undo(KEYS[1], KEYS[2], ARGV[2], ARGV[3])
else
  taken = redis.call('ZREM', KEYS[1], ARGV[3]) == 1
end
if not taken then return 0 end
tell(KEYS[3], KEYS[4])
return 1
