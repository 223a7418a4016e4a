--[[ add_newest_post.lua: adds a post to the newest posts of the site and drops the oldest beyond the limit. While
     the timeline is at least half full, an older post than its oldest is not added: the posts between both are gone.
     KEYS     newest (ZSET)
     ARGV     deadline_ms, status_id, limit
     Returns  0 ]]
-- include: late
local newest = KEYS[1]
local deadline_ms, status_id, limit = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local oldest = redis.call('ZRANGE', newest, -1, -1)[1]
local is_older = oldest and tonumber(status_id) < tonumber(oldest)
if is_older and redis.call('ZCARD', newest) * 2 >= tonumber(limit) then return 0 end
redis.call('ZADD', newest, '-' .. status_id, status_id)
redis.call('ZREMRANGEBYRANK', newest, limit, -1)
return 0
