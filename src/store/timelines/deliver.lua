--[[ store/timelines/deliver.lua — puts one status on timelines, homes or lists', where it still belongs.
     One that comes late to a home, among what the reader has seen, is new all the same. A home that is
     watched says that it came. On a cluster the timelines are of one slot.
     KEYS of each timeline:
     1 ZSET timeline   2 ZSET of its sources: following, or the list's members   3 STRING active mark
     and of a home also:
     4 ZSET excluded   5 ZSET hidden_reposts   6 ZSET tags   7 HASH reading   8 STREAM arrivals
     9 channel of the reader
     ARGV[1] deadline (ms)   ARGV[2] header of the status   ARGV[3] its id
     ARGV[4] how many a timeline holds   ARGV[5] how many keys each timeline has: 9 or 3
     Returns of each timeline 1 delivered | 0 dormant reader | -1 does not belong (any more) | 2 below
             the floor; an error where Redis refused one, which keeps it from none of the others ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
local text, id, size, each = ARGV[3], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local status = header_of(ARGV[2])

local function deliver(timeline, sources, active, excluded, hidden_reposts, tags, reading, arrivals, live)
  local mark = redis.call('GET', active)
  if not mark then
    redis.call('UNLINK', timeline)
    return 0
  end
  if not belongs(timeline, sources, excluded, hidden_reposts, tags, status) then return -1 end
  if id <= floor_of(mark) then return 2 end
  if redis.call('ZADD', timeline, '-' .. text, text) == 1 and reading then
    unsee(reading, id)
    arrive(arrivals, live, text)
  end
  trim(timeline, active, size)
  return 1
end

-- A timeline that cannot be written to stops no other; the call fails for it in the end.
local codes, failure = {}, nil
for first = 1, #KEYS, each do
  local done, code = pcall(deliver, unpack(KEYS, first, first + each - 1))
  if not done then failure = code end
  codes[#codes + 1] = code
end
if failure then return type(failure) == 'table' and failure or redis.error_reply(failure) end
return codes
