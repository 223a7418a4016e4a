--[[ change_site.lua: changes fields of the site. The others stay as they are. A set-up that
     fails does not take the changed ones back. Nothing is changed unless all fields have the values that the change is
     based on, or the new ones.
     KEYS     site (HASH)
     ARGV     deadline_ms, then field, former value ('' if there is none), new value, …
     Returns  'changed' (by this call or an earlier try) | 'other_fields' (someone changed one of them meanwhile) ]]
-- include: late, changed_meanwhile
local site = KEYS[1]
local deadline_ms = ARGV[1]
if late(deadline_ms) then return redis.error_reply(LATE) end
for at = 2, #ARGV, 3 do
  local field, former, value = unpack(ARGV, at, at + 2)
  local current = redis.call('HGET', site, field) or ''
  if changed_meanwhile(current, '=' .. former, value) then return 'other_fields' end
end
for at = 2, #ARGV, 3 do
  redis.call('HSET', site, ARGV[at], ARGV[at + 2])
  redis.call('HDEL', site, 'before:' .. ARGV[at])
end
return 'changed'
