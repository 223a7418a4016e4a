--[[ drop_posting.lua: removes wrong members from a chunk, and the bound of the chunk if it is then empty.
     KEYS     bounds (ZSET of the chunks), chunk (SET)
     ARGV     bound (of the chunk), then member, …
     Returns  the number of removed members and bounds ]]
-- flags: allow-oom
-- include: drop_bound
local bounds, chunk = unpack(KEYS)
local bound = ARGV[1]
local removed = 0
for i = 2, #ARGV do removed = removed + redis.call('SREM', chunk, ARGV[i]) end
return removed + drop_bound(bounds, chunk, bound)
