--[[ hold_repost.lua: claims a status for a living repost, unless another repost of the user has claimed it.
     KEYS     own_reposts (ZSET)
     ARGV     deadline_ms, original_id, repost_id
     Returns  the id of the repost that has the claim: this one or another ]]
-- include: late
local own_reposts = KEYS[1]
local deadline_ms, original_id, repost_id = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
redis.call('ZADD', own_reposts, 'NX', '-' .. repost_id, original_id)
return string.format('%.0f', -redis.call('ZSCORE', own_reposts, original_id))
