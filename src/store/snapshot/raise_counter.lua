--[[ raise_counter.lua: raises a counter that is too low.
     KEYS     counter (STRING)
     ARGV     minimum
     Returns  'raised' | 'unchanged' ]]
local counter = KEYS[1]
local minimum = ARGV[1]
if tonumber(redis.call('GET', counter) or 0) >= tonumber(minimum) then return 'unchanged' end
redis.call('SET', counter, minimum)
return 'raised'
