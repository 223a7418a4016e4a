--[[ change_site.lua: changes fields of the site. The others stay as they are. A set-up that
     fails does not take the changed ones back. Rules are changed only if they are still the rules that the change is based on.
     KEYS     site (HASH)
     ARGV     deadline_ms, former_rules (as stored, or ''), then field, value, …
     Returns  'changed' (by this call or an earlier try) | 'other_rules' (someone changed them meanwhile) ]]
-- include: late
local site = KEYS[1]
local deadline_ms, former_rules = unpack(ARGV, 1, 2)
if late(deadline_ms) then return redis.error_reply(LATE) end
local current = redis.call('HGET', site, 'rules') or ''
for at = 3, #ARGV, 2 do
  local is_of_rules = ARGV[at] == 'rules'
  if is_of_rules and current ~= former_rules and current ~= ARGV[at + 1] then return 'other_rules' end
end
redis.call('HSET', site, unpack(ARGV, 3))
for at = 3, #ARGV, 2 do redis.call('HDEL', site, 'before:' .. ARGV[at]) end
return 'changed'
