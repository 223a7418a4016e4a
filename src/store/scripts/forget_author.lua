--[[ store/scripts/forget_author.lua — takes an author's statuses out of a timeline, a home or a
     list's, if they do not belong there (again).
     KEYS[1] ZSET timeline      KEYS[2] ZSET of its sources: following, or the list's members
     KEYS[3] STRING active mark KEYS[4] ZSET excluded, KEYS[5] STREAM arrivals and
     KEYS[6] channel of the reader, all of a home only
     ARGV[1] author id   ARGV[2] how many are few   ARGV[3…] status ids
     Returns -1 belongs again | 0 the timeline is complete or large enough | 1 it should be rebuilt:
             fewer than that are left above a floor ]]
if belongs(KEYS[2], KEYS[4], ARGV[1]) then return -1 end
local gone = 0
for i = 3, #ARGV do gone = gone + redis.call('ZREM', KEYS[1], ARGV[i]) end
if gone > 0 and KEYS[5] then tell(KEYS[5], KEYS[6]) end
return is_short(KEYS[1], KEYS[3], ARGV[2]) and 1 or 0
