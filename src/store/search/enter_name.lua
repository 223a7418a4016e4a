--[[ enter_name.lua: lists a user under words of their names that share a first letter.
     KEYS     names (ZSET)
     ARGV     deadline_ms, then entry (`<word> <user id>`), …
     Returns  the number of new entries ]]
-- include: late
local names = KEYS[1]
local deadline_ms = ARGV[1]
if late(deadline_ms) then return redis.error_reply(LATE) end
local added = 0
for i = 2, #ARGV do added = added + redis.call('ZADD', names, 0, ARGV[i]) end
return added
