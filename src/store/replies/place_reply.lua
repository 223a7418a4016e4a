--[[ place_reply.lua: puts a reply in its position under the status that it replies to, and counts the
     replies there. The reply stays while it exists, or as a gap while it has replies itself, even if the
     parent is deleted. The counts go with the parent.
     KEYS     replies (ZSET), gaps (ZSET), parent (HASH)
     ARGV     deadline_ms, reply_id, place ('reply' | 'gap' | 'nowhere')
     Returns  'placed' | 'parent_deleted' (placed, and the parent does not exist) ]]
-- include: late, store_reply_counts
local replies, gaps, parent = unpack(KEYS)
local deadline_ms, reply_id, place = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local function put(key, is_here)
  if is_here then redis.call('ZADD', key, '-' .. reply_id, reply_id) else redis.call('ZREM', key, reply_id) end
end
put(replies, place == 'reply')
put(gaps, place == 'gap')
return store_reply_counts(parent, replies, gaps) and 'placed' or 'parent_deleted'
