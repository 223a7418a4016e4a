--[[ store/people/edit_user.lua — changes what a person says of themself. The name that they are found
     by stays until the index has the new one.
     KEYS[1] HASH user          ARGV[1] deadline (ms)      ARGV[2] name   ARGV[3] bio
     Returns 1 changed | 0 no such person ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
local held = redis.call('HMGET', KEYS[1], 'login', 'name')
if not held[1] then return 0 end
if held[2] and held[2] ~= ARGV[2] then keep_former(KEYS[1], held[2]) end
redis.call('HSET', KEYS[1], 'name', ARGV[2], 'bio', ARGV[3])
return 1
