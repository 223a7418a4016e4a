--[[ store/timelines/withdraw.lua — takes the dead out of a timeline, a home or a list's.
     KEYS[1] ZSET timeline      KEYS[2] STRING active mark
     KEYS[3] STREAM arrivals    KEYS[4] channel of the reader, both of a home only
     ARGV[1] how many are few   ARGV[2…] status ids
     Returns 0 the timeline is complete or large enough | 1 it should be rebuilt: fewer than that are
             left above a floor ]]
local gone = 0
for i = 2, #ARGV do gone = gone + redis.call('ZREM', KEYS[1], ARGV[i]) end
if gone > 0 and KEYS[3] then tell(KEYS[3], KEYS[4]) end
return is_short(KEYS[1], KEYS[2], ARGV[1]) and 1 or 0
