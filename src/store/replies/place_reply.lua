--[[ place_reply.lua: puts a reply in its position under the status that it replies to, and counts the
     replies there. The reply stays while it exists, or as a gap while it has replies itself, even if the
     parent is deleted. The counts go with the parent. A tombstone of the parent stays while it has replies.
     KEYS     replies (ZSET), gaps (ZSET), parent (HASH)
     ARGV     deadline_ms, reply_id, place ('reply' | 'gap' | 'nowhere'), tombstone_ttl_s
     Returns  'placed' | 'parent_deleted' (placed, and the parent does not exist) | 'tombstone_unchanged'
              (the same, and the parent has replies or gaps below it as before, or none as before) ]]
-- flags: allow-oom
-- include: late, store_reply_counts, limit_tombstone
local replies, gaps, parent = unpack(KEYS)
local deadline_ms, reply_id, place, tombstone_ttl_s = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local function put(key, is_here)
  if is_here then redis.call('ZADD', key, '-' .. reply_id, reply_id) else redis.call('ZREM', key, reply_id) end
end
local function has_replies() return redis.call('EXISTS', replies, gaps) > 0 end
local had_replies = has_replies()
put(replies, place == 'reply')
put(gaps, place == 'gap')
if store_reply_counts(parent, replies, gaps) then return 'placed' end
limit_tombstone(parent, replies, gaps, tombstone_ttl_s)
return has_replies() == had_replies and 'tombstone_unchanged' or 'parent_deleted'
