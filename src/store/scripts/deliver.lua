--[[ store/scripts/deliver.lua — puts one status on one timeline, a home or a list's, if it still
     belongs there. One that comes late to a home, among what the reader has seen, is new all the same.
     KEYS[1] ZSET timeline  KEYS[2] ZSET of its sources: following, or the list's members
     KEYS[3] STRING active mark   KEYS[4] ZSET excluded, KEYS[5] HASH reading, both of a home only
     ARGV[1] deadline (ms)  ARGV[2] author id   ARGV[3] status id
     ARGV[4] how many a timeline holds
     Returns 1 delivered | 0 dormant reader | -1 does not belong (any more) | 2 below the floor ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
local mark = redis.call('GET', KEYS[3])
if not mark then
  redis.call('UNLINK', KEYS[1])
  return 0
end
if not belongs(KEYS[2], KEYS[4], ARGV[2]) then return -1 end
if tonumber(ARGV[3]) <= floor_of(mark) then return 2 end
local id = tonumber(ARGV[3])
if redis.call('ZADD', KEYS[1], '-' .. ARGV[3], ARGV[3]) == 1 and KEYS[5] then
  for _, seen in ipairs({'before', 'shown'}) do
    local ranges = ranges_of(redis.call('HGET', KEYS[5], seen) or '')
    if uncover(ranges, id) then redis.call('HSET', KEYS[5], seen, text_of(ranges)) end
  end
end
trim(KEYS[1], KEYS[3], ARGV[4])
return 1
