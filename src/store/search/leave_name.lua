--[[ leave_name.lua: removes entries of a user from the names that share a first letter.
     KEYS     names (ZSET)
     ARGV     deadline_ms, then entry (`<word> <user id>`), …
     Returns  the number of removed entries ]]
-- flags: allow-oom
-- include: late
local names = KEYS[1]
local deadline_ms = ARGV[1]
if late(deadline_ms) then return redis.error_reply(LATE) end
return redis.call('ZREM', names, unpack(ARGV, 2))
