--[[ store/timelines/finish_rebuild.lua — names the floor of a timeline that was built.
     KEYS[1] ZSET timeline         KEYS[2] STRING active mark
     KEYS[3] STREAM arrivals       KEYS[4] channel of the owner, both of a home only
     ARGV[1] token   ARGV[2] floor of the merge   ARGV[3] TTL of the mark (s)
     ARGV[4] how many are few: with fewer the floor is final
     Returns 1 finished | 0 the token is over ]]
local mark = redis.call('GET', KEYS[2])
local floor, token = floor_of(mark or '0')
if token ~= ARGV[1] then return 0 end
floor = math.max(floor, tonumber(ARGV[2]))
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. string.format('%.0f', -floor), '+inf')
local is_final = floor > 0 and redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[4])
redis.call('SET', KEYS[2], is_final and final_floor(floor) or string.format('%.0f', floor), 'EX', ARGV[3])
if KEYS[3] then tell(KEYS[3], KEYS[4]) end
return 1
