--[[ record_reply.lua: stores a new reply among the newest replies to a user. Older ones are dropped. The
     newest dropped id is stored in the HASH of the user, and ids up to it are not added again. A deleted
     user has none.
     KEYS     received_replies (ZSET), user (HASH)
     ARGV     deadline_ms, reply_id, max_replies
     Returns  'kept' | 'too_old' ]]
-- include: late
local received_replies, user = unpack(KEYS)
local deadline_ms, reply_id, max_replies = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('HEXISTS', user, 'gone') == 1 then return 'too_old' end
local dropped = tonumber(redis.call('HGET', user, 'dropped_reply') or 0)
if tonumber(reply_id) <= dropped then return 'too_old' end
redis.call('ZADD', received_replies, '-' .. reply_id, reply_id)
local size = tonumber(max_replies)
if redis.call('ZCARD', received_replies) >= size + 24 then
  redis.call('HSET', user, 'dropped_reply', redis.call('ZRANGE', received_replies, size, size)[1])
  redis.call('ZREMRANGEBYRANK', received_replies, size, -1)
end
return 'kept'
