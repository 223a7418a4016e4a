--[[ claim_site.lua: sets the site up for its owner. A site is set up once.
     KEYS     site (HASH)
     ARGV     deadline_ms, owner, name, description, contact, rules, question, entrance, group_founders,
              hue, everybody, public_log, inviters
     Returns  'claimed' (by this call or an earlier try) | 'gone' (it has another owner) ]]
-- include: late
local site = KEYS[1]
local deadline_ms, owner, name, description, contact, rules, question, entrance, group_founders, hue, everybody, public_log, inviters = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local current = redis.call('HGET', site, 'owner')
if current and current ~= owner then return 'gone' end
redis.call('HSET', site, 'owner', owner, 'name', name, 'description', description, 'contact', contact,
  'rules', rules, 'question', question, 'entrance', entrance, 'group_founders', group_founders,
  'hue', hue, 'everybody', everybody, 'public_log', public_log, 'inviters', inviters)
return 'claimed'
