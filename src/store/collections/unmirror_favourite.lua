--[[ store/collections/unmirror_favourite.lua — removes the status's side of a favourite, and counts.
     KEYS[1] ZSET favourited_by     KEYS[2] HASH status
     ARGV[1] deadline (ms)      ARGV[2] who does not favourite it (user id)
     Returns 1 ]]
-- include: late, status_exists
if late(ARGV[1]) then return redis.error_reply(LATE) end
redis.call('ZREM', KEYS[1], ARGV[2])
if status_exists(KEYS[2]) then
  redis.call('HSET', KEYS[2], 'favourite_count', redis.call('ZCARD', KEYS[1]))
end
return 1
