--[[ release_login.lua: frees a login that names no user who has this login.
     KEYS     login (STRING)
     ARGV     found (the value that was read there)
     Returns  'released' | 'outdated' (it has another value) ]]
local login = KEYS[1]
local found = ARGV[1]
if redis.call('GET', login) ~= found then return 'outdated' end
redis.call('DEL', login)
return 'released'
