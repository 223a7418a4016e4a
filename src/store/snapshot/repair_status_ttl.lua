--[[ repair_status_ttl.lua: gives a tombstone its missing TTL, and removes the TTL of a status that exists.
     KEYS     status (HASH)
     ARGV     tombstone_ttl_s
     Returns  'repaired' ]]
local status = KEYS[1]
local tombstone_ttl_s = ARGV[1]
if redis.call('HEXISTS', status, 'deleted') == 0 then
  redis.call('PERSIST', status)
elseif redis.call('TTL', status) == -1 then
  redis.call('EXPIRE', status, tombstone_ttl_s)
end
return 'repaired'
