--[[ add_mention.lua: adds a status to the mention index of a user. A deleted user has none.
     KEYS     statuses (ZSET), user (HASH)
     ARGV     deadline_ms, status_id
     Returns  0 ]]
-- include: late
local statuses, user = unpack(KEYS)
local deadline_ms, status_id = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('HEXISTS', user, 'gone') == 1 then return 0 end
redis.call('ZADD', statuses, '-' .. status_id, status_id)
return 0
