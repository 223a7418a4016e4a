--[[ release_site.lua: removes what a person had set up, after their sign-up failed.
     KEYS     site (HASH)
     ARGV     owner
     Returns  'released' ]]
-- flags: allow-oom
local site = KEYS[1]
local owner = ARGV[1]
if redis.call('HGET', site, 'owner') == owner then redis.call('DEL', site) end
return 'released'
