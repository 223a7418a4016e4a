--[[ change_shields.lua: changes the shields of the site.
     KEYS     site (HASH)
     ARGV     deadline_ms, holds_links ('1', or '' for off)
     Returns  'changed' ]]
-- include: late
local site = KEYS[1]
local deadline_ms, holds_links = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
redis.call('HSET', site, 'holds_links', holds_links)
return 'changed'
