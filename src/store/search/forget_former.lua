--[[ forget_former.lua: deletes the former text of a status, or the former names of a user, after search
     has forgotten them.
     KEYS     owner (HASH: a status or a user)
     ARGV     former (as it was read)
     Returns  'forgotten' | 'outdated' (it has changed, or is gone) ]]
-- flags: allow-oom
local owner = KEYS[1]
local former = ARGV[1]
if redis.call('HGET', owner, 'former') ~= former then return 'outdated' end
redis.call('HDEL', owner, 'former')
return 'forgotten'
