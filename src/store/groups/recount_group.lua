--[[ recount_group.lua: counts the members and requests of a group again.
     KEYS     group (HASH), members (ZSET), requests (ZSET)
     Returns  'done' (or there is no such group) ]]
-- include: count_group
local group, members, requests = unpack(KEYS)
local keys = {group = group, members = members, requests = requests}
if redis.call('HEXISTS', group, 'slug') == 1 then count_group(keys) end
return 'done'
