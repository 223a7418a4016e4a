--[[ clear_group.lua: removes the keys of a group whose deletion has begun, after its people are removed. `gone` stays, so
     that no form founds a group with the same id, whose members would see the posts of this one.
     KEYS     group (HASH), members (ZSET), requests (ZSET), invited (ZSET), then others
     ARGV     deadline_ms
     Returns  'cleared' (or there is no group) | 'in_use' (it exists, or has people) ]]
-- flags: allow-oom
-- include: late
local group, members, requests, invited = unpack(KEYS)
local deadline_ms = ARGV[1]
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('EXISTS', members, requests, invited) > 0 then return 'in_use' end
local gone = redis.call('HGET', group, 'gone')
if redis.call('EXISTS', group) == 1 and not gone then return 'in_use' end
for at = 1, #KEYS do redis.call('UNLINK', KEYS[at]) end
if gone then redis.call('HSET', group, 'gone', gone) end
return 'cleared'
