--[[ shrink_tombstone.lua: drops the tags and mentions of a tombstone. They lead to copies that are gone. Its
     people stay if only they can reply below it. The key is written anew, because a HASH that had a large
     field stays large.
     KEYS     status (HASH)
     Returns  'shrunk' (by this call or an earlier one) | 'living' (or it does not exist) ]]
-- flags: allow-oom
-- include: weigh_tombstone
local status = KEYS[1]
local deleted, reply_control = unpack(redis.call('HMGET', status, 'deleted', 'reply_control'))
if not deleted then return 'living' end
local ttl_ms = redis.call('PTTL', status)
local drops = {tags = true, untagged = true, unmentioned = true}
drops.mentioned = string.find(reply_control or '', 'mentioned', 1, true) == nil
local fields, kept = redis.call('HGETALL', status), {}
for at = 1, #fields, 2 do
  if not drops[fields[at]] then
    kept[#kept + 1] = fields[at]
    kept[#kept + 1] = fields[at + 1]
  end
end
redis.call('DEL', status)
redis.call('HSET', status, unpack(kept))
weigh_tombstone(status)
if ttl_ms > 0 then redis.call('PEXPIRE', status, ttl_ms) end
return 'shrunk'
