--[[ reserve_request.lua: counts a request to a stranger against the limit of a day. A request to the same people is
     counted once.
     KEYS     sent_requests (ZSET)
     ARGV     deadline_ms, chat, limit (of a day), day_s, ttl_s (for which requests are kept)
     Returns  'reserved' | 'too_many' ]]
-- include: late
local sent_requests = KEYS[1]
local deadline_ms, chat, limit, day_s, ttl_s = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', sent_requests, '-inf', string.format('%.0f', now - ttl_s * 1000))
local is_new = not redis.call('ZSCORE', sent_requests, chat)
if is_new and redis.call('ZCOUNT', sent_requests, string.format('(%.0f', now - day_s * 1000), '+inf') >= tonumber(limit) then return 'too_many' end
if is_new then redis.call('ZADD', sent_requests, string.format('%.0f', now), chat) end
redis.call('EXPIRE', sent_requests, ttl_s)
return 'reserved'
