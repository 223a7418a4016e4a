--[[ store/reposts/unmirror_repost.lua — removes the original's side of a repost or quote that is dead,
     and counts.
     KEYS[1] ZSET reposts or quotes      KEYS[2] HASH status (the original)
     ARGV[1] member: who reposted it, or the id of the quote
     ARGV[2] id of the repost or quote   ARGV[3] field that counts them
     Returns 1 removed | 0 it was not there ]]
-- include: status_exists
local held = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not held or string.format('%.0f', -held) ~= ARGV[2] then return 0 end
redis.call('ZREM', KEYS[1], ARGV[1])
if status_exists(KEYS[2]) then redis.call('HSET', KEYS[2], ARGV[3], redis.call('ZCARD', KEYS[1])) end
return 1
