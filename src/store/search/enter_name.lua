--[[ store/search/enter_name.lua — lists a person under words of theirs that begin alike.
     KEYS[1] ZSET names         ARGV[1] deadline (ms)      ARGV[2…] `<word> <user id>`
     Returns how many stood there not yet ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
local new = 0
for i = 2, #ARGV do new = new + redis.call('ZADD', KEYS[1], 0, ARGV[i]) end
return new
