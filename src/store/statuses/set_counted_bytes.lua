--[[ set_counted_bytes.lua: corrects the sum of the bytes of a user's posts beyond the base, or of their messages.
     KEYS     counted (HASH)
     ARGV     found_sum (as it was read; '0' for none), sum
     Returns  'set' | 'outdated' (it has changed) ]]
local counted = KEYS[1]
local found_sum, sum = unpack(ARGV)
if (redis.call('HGET', counted, 'sum') or '0') ~= found_sum then return 'outdated' end
if sum == '0' then redis.call('HDEL', counted, 'sum') else redis.call('HSET', counted, 'sum', sum) end
return 'set'
