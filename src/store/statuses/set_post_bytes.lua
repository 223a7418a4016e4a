--[[ set_post_bytes.lua: corrects the sum of the bytes of a user's posts beyond the base.
     KEYS     post_bytes (HASH)
     ARGV     found_sum (as it was read; '0' for none), sum
     Returns  'set' | 'outdated' (it has changed) ]]
local post_bytes = KEYS[1]
local found_sum, sum = unpack(ARGV)
if (redis.call('HGET', post_bytes, 'sum') or '0') ~= found_sum then return 'outdated' end
if sum == '0' then redis.call('HDEL', post_bytes, 'sum') else redis.call('HSET', post_bytes, 'sum', sum) end
return 'set'
