--[[ claim_site.lua: sets the site up for its owner. A site is set up once. What it replaces stays in `before:<field>` until
     the set-up is complete.
     KEYS     site (HASH)
     ARGV     deadline_ms, owner, name, description, contact, rules, question, entrance, group_founders,
              hue, everybody, public_log, inviters
     Returns  'claimed' (by this call or an earlier try) | 'gone' (it has another owner) ]]
-- include: late, rewrite_field
local site = KEYS[1]
local deadline_ms, owner, name, description, contact, rules, question, entrance, group_founders, hue, everybody, public_log, inviters = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local current = redis.call('HGET', site, 'owner')
if current == owner then
  -- Someone may have changed the settings since the earlier try.
  rewrite_field(site, 'owner')
  return 'claimed'
end
if current then return 'gone' end
local fields = {name = name, description = description, contact = contact, rules = rules, question = question,
  entrance = entrance, group_founders = group_founders, hue = hue, everybody = everybody, public_log = public_log,
  inviters = inviters}
for field, value in pairs(fields) do
  local before = redis.call('HGET', site, field)
  redis.call('HSET', site, field, value, 'before:' .. field, before and '=' .. before or '')
end
redis.call('HSET', site, 'owner', owner)
return 'claimed'
