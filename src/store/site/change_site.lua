--[[ change_site.lua: changes the settings of the site, if its rules are those that the change was made from.
     KEYS     site (HASH)
     ARGV     deadline_ms, former_rules (as stored, or ''), name, description, contact, rules, question, entrance, group_founders,
              hue, everybody, public_log
     Returns  'changed' (by this call or an earlier try) | 'other_rules' (somebody changed them meanwhile) ]]
-- include: late
local site = KEYS[1]
local deadline_ms, former_rules, name, description, contact, rules, question, entrance, group_founders, hue, everybody, public_log = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local current = redis.call('HGET', site, 'rules') or ''
if current ~= former_rules and current ~= rules then return 'other_rules' end
redis.call('HSET', site, 'name', name, 'description', description, 'contact', contact, 'rules', rules,
  'question', question, 'entrance', entrance, 'group_founders', group_founders,
  'hue', hue, 'everybody', everybody, 'public_log', public_log)
return 'changed'
