--[[ change_site.lua: changes the settings of the site.
     KEYS     site (HASH)
     ARGV     deadline_ms, name, description, entrance
     Returns  'changed' ]]
-- include: late
local site = KEYS[1]
local deadline_ms, name, description, entrance = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
redis.call('HSET', site, 'name', name, 'description', description, 'entrance', entrance)
return 'changed'
