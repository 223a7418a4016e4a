--[[ add_outbox_entry.lua: adds an outbox entry, which is due after a delay on this Redis' clock. It works
     with full memory, because a deletion begins with it.
     KEYS     later (ZSET)
     ARGV     delay_ms, entry
     Returns  'added' ]]
-- flags: allow-oom
local later = KEYS[1]
local delay_ms, entry = unpack(ARGV)
local now = redis.call('TIME')
local due = now[1] * 1000 + math.floor(now[2] / 1000) + tonumber(delay_ms)
redis.call('ZADD', later, string.format('%.0f', due), entry)
return 'added'
