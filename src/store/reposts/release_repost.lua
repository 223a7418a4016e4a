--[[ release_repost.lua: removes the claim of a repost that is deleted or was never created.
     KEYS     own_reposts (ZSET)
     ARGV     original_id, repost_id
     Returns  'released' | 'unchanged' (this repost has no claim) ]]
-- flags: allow-oom
local own_reposts = KEYS[1]
local original_id, repost_id = unpack(ARGV)
local claimed = redis.call('ZSCORE', own_reposts, original_id)
if not claimed or string.format('%.0f', -claimed) ~= repost_id then return 'unchanged' end
redis.call('ZREM', own_reposts, original_id)
return 'released'
