--[[ store/scripts/merge_timeline.lua — merges statuses of one author into a timeline, a home or a
     list's, if they still belong there. Ids below the floor stay out: pages below it come from
     profiles.
     KEYS[1] ZSET timeline      KEYS[2] ZSET of its sources: following, or the list's members
     KEYS[3] STRING active mark KEYS[4] ZSET excluded, of a home only
     ARGV[1] deadline (ms)      ARGV[2] author id     ARGV[3] how many a timeline holds
     ARGV[4] floor to raise to, or 0: older statuses of the author were not read
     ARGV[5…] status ids
     Returns 1 merged | 0 dormant reader | -1 does not belong ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
local mark = redis.call('GET', KEYS[3])
if not mark then
  redis.call('UNLINK', KEYS[1])
  return 0
end
if not belongs(KEYS[2], KEYS[4], ARGV[2]) then return -1 end
raise_floor(KEYS[3], tonumber(ARGV[4]))
local floor = floor_of(redis.call('GET', KEYS[3]))
for i = 5, #ARGV do
  if tonumber(ARGV[i]) >= floor then redis.call('ZADD', KEYS[1], '-' .. ARGV[i], ARGV[i]) end
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. string.format('%.0f', -floor), '+inf')
trim(KEYS[1], KEYS[3], ARGV[3])
return 1
