--[[ add_mention.lua: adds a status to the mention index of a user, or to the timeline of a group. A deleted or
     missing owner has none.
     KEYS     statuses (ZSET), owner (HASH: the user or the group)
     ARGV     deadline_ms, status_id
     Returns  0 ]]
-- include: late
local statuses, owner = unpack(KEYS)
local deadline_ms, status_id = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('EXISTS', owner) == 0 or redis.call('HEXISTS', owner, 'gone') == 1 then return 0 end
redis.call('ZADD', statuses, '-' .. status_id, status_id)
return 0
