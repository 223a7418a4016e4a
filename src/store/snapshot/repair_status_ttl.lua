--[[ repair_status_ttl.lua: gives a tombstone without replies its missing TTL, and removes the TTL of a
     living status and of a tombstone with replies.
     KEYS     status (HASH), replies (ZSET), gaps (ZSET)
     ARGV     tombstone_ttl_s
     Returns  'repaired' ]]
-- include: limit_tombstone
local status, replies, gaps = unpack(KEYS)
local tombstone_ttl_s = ARGV[1]
if redis.call('HEXISTS', status, 'deleted') == 0 then
  redis.call('PERSIST', status)
else
  limit_tombstone(status, replies, gaps, tombstone_ttl_s)
end
return 'repaired'
