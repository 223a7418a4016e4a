--[[ change_site_texts.lua: changes the pages of the owner about the site.
     KEYS     site (HASH)
     ARGV     deadline_ms, about, privacy (Markdown, or '' for no page)
     Returns  'changed' ]]
-- include: late
local site = KEYS[1]
local deadline_ms, about, privacy = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
redis.call('HSET', site, 'about', about, 'privacy', privacy)
return 'changed'
