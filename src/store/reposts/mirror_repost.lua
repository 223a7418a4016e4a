--[[ store/reposts/mirror_repost.lua — writes the original's side of a repost, with a comment or
     without, and counts. Where the original is dead nothing is written.
     KEYS[1] ZSET reposts or quotes      KEYS[2] HASH status (the original)
     ARGV[1] deadline (ms)      ARGV[2] member: who reposts it, or the id of the quote
     ARGV[3] id of the repost or quote   ARGV[4] field that counts them
     Returns 1 written | 0 the original does not live ]]
-- include: late, status_exists
if late(ARGV[1]) then return redis.error_reply(LATE) end
if not status_exists(KEYS[2]) then return 0 end
redis.call('ZADD', KEYS[1], '-' .. ARGV[3], ARGV[2])
redis.call('HSET', KEYS[2], ARGV[4], redis.call('ZCARD', KEYS[1]))
return 1
