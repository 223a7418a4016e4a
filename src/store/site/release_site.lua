--[[ release_site.lua: takes back what a person had set up, after their sign-up failed. Settings that someone else changed
     before or since stay.
     KEYS     site (HASH)
     ARGV     owner
     Returns  'released' ]]
-- flags: allow-oom
local site = KEYS[1]
local owner = ARGV[1]
if redis.call('HGET', site, 'owner') ~= owner then return 'released' end
for _, stored in ipairs(redis.call('HKEYS', site)) do
  local field = string.match(stored, '^before:(.*)$')
  if field then
    local before = redis.call('HGET', site, stored)
    if before == '' then redis.call('HDEL', site, field) else redis.call('HSET', site, field, string.sub(before, 2)) end
    redis.call('HDEL', site, stored)
  end
end
redis.call('HDEL', site, 'owner')
return 'released'
