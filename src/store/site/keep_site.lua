--[[ keep_site.lua: completes the set-up of the site. The settings that it replaced are forgotten.
     KEYS     site (HASH)
     ARGV     owner
     Returns  'kept' ]]
-- flags: allow-oom
local site = KEYS[1]
local owner = ARGV[1]
if redis.call('HGET', site, 'owner') ~= owner then return 'kept' end
for _, stored in ipairs(redis.call('HKEYS', site)) do
  if string.match(stored, '^before:') then redis.call('HDEL', site, stored) end
end
return 'kept'
