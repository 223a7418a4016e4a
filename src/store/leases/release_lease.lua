--[[ release_lease.lua: gives a lease back. It works with full memory, because it only removes a key.
     KEYS     lease (STRING: token of its holder)
     ARGV     token
     Returns  'released' | 'not_held' (it ended, or another process holds it) ]]
-- flags: allow-oom
local lease = KEYS[1]
local token = ARGV[1]
if redis.call('GET', lease) ~= token then return 'not_held' end
redis.call('UNLINK', lease)
return 'released'
