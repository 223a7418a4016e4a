--[[ store/statuses/file_status.lua — puts a status on its author's profile and own home.
     KEYS[1] ZSET profile   KEYS[2] HASH user   KEYS[3] ZSET home   KEYS[4] STRING active mark
     KEYS[5] STREAM arrivals   KEYS[6] channel of the author   KEYS[7] ZSET posts, of no answer only
     ARGV[1] deadline (ms)  ARGV[2] status id   ARGV[3] how many a home holds
     Returns 1 ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
redis.call('ZADD', KEYS[1], '-' .. ARGV[2], ARGV[2])
if KEYS[7] then redis.call('ZADD', KEYS[7], '-' .. ARGV[2], ARGV[2]) end
redis.call('HSET', KEYS[2], 'posts', redis.call('ZCARD', KEYS[1]))
local mark = redis.call('GET', KEYS[4])
if not mark then
  redis.call('UNLINK', KEYS[3])
elseif tonumber(ARGV[2]) > floor_of(mark) then
  redis.call('ZADD', KEYS[3], '-' .. ARGV[2], ARGV[2])
  trim(KEYS[3], KEYS[4], tonumber(ARGV[3]))
end
tell(KEYS[5], KEYS[6])
return 1
