--[[ count_tombstone.lua: counts a deleted status in the quota of its author, or no longer. A deleted account has no quota.
     KEYS     user (HASH), post_bytes (HASH)
     ARGV     status_id, bytes (0: it does not count)
     Returns  'counted' ]]
-- flags: allow-oom
-- include: count_bytes
local user, post_bytes = unpack(KEYS)
local status_id, bytes = unpack(ARGV)
if redis.call('HEXISTS', user, 'id') == 1 then count_bytes(post_bytes, status_id, bytes) end
return 'counted'
