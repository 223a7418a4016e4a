--[[ store/collections/mirror_favourite.lua — writes the status's side of a favourite, and counts. Where
     the status is dead nothing is written, so nothing is left of one that died.
     KEYS[1] ZSET favourited_by     KEYS[2] HASH status
     ARGV[1] deadline (ms)      ARGV[2] who favours it (user id)
     Returns 1 written | 0 the status does not live ]]
-- include: late, status_exists, next_score
if late(ARGV[1]) then return redis.error_reply(LATE) end
if not status_exists(KEYS[2]) then return 0 end
if not redis.call('ZSCORE', KEYS[1], ARGV[2]) then
  redis.call('ZADD', KEYS[1], next_score(KEYS[1]), ARGV[2])
end
redis.call('HSET', KEYS[2], 'favourite_count', redis.call('ZCARD', KEYS[1]))
return 1
