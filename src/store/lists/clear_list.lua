--[[ clear_list.lua: deletes the members of a deleted list.
     KEYS     lists (HASH), members (ZSET)
     ARGV     list_number
     Returns  'cleared' | 'unchanged' (the list exists) ]]
-- flags: allow-oom
local lists, members = unpack(KEYS)
local list_number = ARGV[1]
if redis.call('HEXISTS', lists, list_number) == 1 then return 'unchanged' end
redis.call('UNLINK', members)
return 'cleared'
