--[[ store/scripts/forget_author.lua — takes an author's statuses out of a timeline, a home or a
     list's, if they do not belong there (again).
     KEYS[1] ZSET timeline      KEYS[2] ZSET of its sources: following, or the list's members
     KEYS[3] STRING active mark KEYS[4] ZSET excluded, of a home only
     ARGV[1] author id          ARGV[2…] status ids
     Returns -1 belongs again | 0 the timeline is complete or large enough | 1 it should be rebuilt:
             fewer than 500 are left above a floor ]]
if belongs(KEYS[2], KEYS[4], ARGV[1]) then return -1 end
for i = 2, #ARGV do redis.call('ZREM', KEYS[1], ARGV[i]) end
local mark = redis.call('GET', KEYS[3])
if not mark then return 0 end
local floor, token = floor_of(mark)
if token or floor == 0 or redis.call('ZCARD', KEYS[1]) >= 500 then return 0 end
return 1
