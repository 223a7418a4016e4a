--[[ store/scripts/deliver.lua — puts one status on one timeline, a home or a list's, if it still
     belongs there. One that comes late to a home, among what the reader has seen, is new all the same.
     A home that is watched says that it came.
     KEYS[1] ZSET timeline  KEYS[2] ZSET of its sources: following, or the list's members
     KEYS[3] STRING active mark   KEYS[4] ZSET excluded, KEYS[5] ZSET quiet, KEYS[6] ZSET tags,
     KEYS[7] HASH reading, KEYS[8] STREAM arrivals and KEYS[9] channel of the reader, all of a home only
     ARGV[1] deadline (ms)  ARGV[2] provenance of the status   ARGV[3] its id
     ARGV[4] how many a timeline holds
     Returns 1 delivered | 0 dormant reader | -1 does not belong (any more) | 2 below the floor ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
local mark = redis.call('GET', KEYS[3])
if not mark then
  redis.call('UNLINK', KEYS[1])
  return 0
end
if not belongs(KEYS[1], KEYS[2], KEYS[4], KEYS[5], KEYS[6], ARGV[2]) then return -1 end
if tonumber(ARGV[3]) <= floor_of(mark) then return 2 end
local id = tonumber(ARGV[3])
if redis.call('ZADD', KEYS[1], '-' .. ARGV[3], ARGV[3]) == 1 and KEYS[7] then
  local held = redis.call('HMGET', KEYS[7], 'before', 'shown')
  local before, shown = ranges_of(held[1] or ''), ranges_of(held[2] or '')
  local was_before, was_shown = uncover(before, id), uncover(shown, id)
  if was_before or was_shown then
    local seen_before, seen = texts_of(before, shown)
    redis.call('HSET', KEYS[7], 'before', seen_before, 'shown', seen)
  end
  arrive(KEYS[8], KEYS[9], ARGV[3])
end
trim(KEYS[1], KEYS[3], ARGV[4])
return 1
