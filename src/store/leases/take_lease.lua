--[[ take_lease.lua: takes a lease, or renews it for its holder. It works with full memory, because a rewrite
     of the append-only files removes deleted texts. A lease is small and expires. A lease that would last longer than its
     longest lifetime was taken before the clock was set back, and does not count: it would last as long as the step.
     KEYS     lease (STRING: token of its holder)
     ARGV     token, ttl_s, longest_s
     Returns  'taken' | 'held' (by another process) ]]
-- flags: allow-oom
local lease = KEYS[1]
local token, ttl_s, longest_s = unpack(ARGV)
local holder = redis.call('GET', lease)
if holder and holder ~= token and redis.call('PTTL', lease) <= longest_s * 1000 then return 'held' end
redis.call('SET', lease, token, 'EX', ttl_s)
return 'taken'
