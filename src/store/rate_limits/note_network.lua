--[[ note_network.lua: notes the network from which a user has logged in, and forgets the oldest beyond the limit. It
     works with full memory, because a log-in does.
     KEYS     known_networks (ZSET)
     ARGV     network, now_ms, max_networks, ttl_s
     Returns  'noted' ]]
-- flags: allow-oom
local known_networks = KEYS[1]
local network, now_ms, max_networks, ttl_s = unpack(ARGV)
redis.call('ZADD', known_networks, now_ms, network)
redis.call('ZREMRANGEBYRANK', known_networks, 0, -max_networks - 1)
redis.call('EXPIRE', known_networks, ttl_s)
return 'noted'
