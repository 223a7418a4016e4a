--[[ store/timelines/begin_rebuild.lua — empties a timeline and says that it is being
     built. What arrived on a home before is forgotten: what is merged into it now arrives unnoticed.
     KEYS[1] ZSET timeline      KEYS[2] STRING active mark
     KEYS[3] HASH that tells whether there is such a timeline: user of a home, lists of a list
     KEYS[4] STREAM arrivals    KEYS[5] channel of the owner, both of a home only
     ARGV[1] token   ARGV[2] TTL of the mark while building (s)
     ARGV[3] 'visit': the owner came back, so begin where no mark is
             'wrong': begin where a floor is, as nobody may have come since
             'short': the same, where it still is
     ARGV[4] field of that HASH which is there as long as the timeline is   ARGV[5] how many are few
     Returns 1 begun | 0 not to be done (any more) ]]
if redis.call('HEXISTS', KEYS[3], ARGV[4]) == 0 then return 0 end
local mark = redis.call('GET', KEYS[2])
if mark and select(2, floor_of(mark)) == ARGV[1] then return 1 end
if ARGV[3] == 'visit' and mark then return 0 end
if ARGV[3] == 'short' and not is_short(KEYS[1], KEYS[2], ARGV[5]) then return 0 end
if ARGV[3] == 'wrong' and (not mark or string.find(mark, 'building:', 1, true)) then return 0 end
redis.call('UNLINK', KEYS[1])
if KEYS[4] and redis.call('UNLINK', KEYS[4]) == 1 then announce(KEYS[5]) end
redis.call('SET', KEYS[2], 'building:' .. ARGV[1] .. ':0', 'EX', ARGV[2])
return 1
