--[[ store/snapshot/raise_counter.lua — raises a counter that is behind.
     KEYS[1] STRING counter     ARGV[1] what it must have reached
     Returns 1 raised | 0 it was there already ]]
if tonumber(redis.call('GET', KEYS[1]) or 0) >= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1])
return 1
