--[[ reserve_request.lua: counts a request to strangers against the limit of a day. A request to the same people is
     counted once. Until the deadline of its message, it claims the strangers: no other chat of the user can begin with
     them meanwhile, because its first message could not be found yet.
     KEYS     sent_requests (ZSET), request_claims (HASH)
     ARGV     deadline_ms, chat, limit (of a day), day_s, ttl_s (for which requests are kept), then stranger, …
     Returns  'reserved' | 'too_many' | 'claimed' (by a request in another chat) ]]
-- include: late
local sent_requests, request_claims = unpack(KEYS)
local deadline_ms, chat, limit, day_s, ttl_s = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for at = 6, #ARGV do
  local holder, ends = string.match(redis.call('HGET', request_claims, ARGV[at]) or '', '^(%S+) (%d+)$')
  if holder and holder ~= chat and tonumber(ends) >= now then return 'claimed' end
end
redis.call('ZREMRANGEBYSCORE', sent_requests, '-inf', string.format('%.0f', now - ttl_s * 1000))
local is_new = not redis.call('ZSCORE', sent_requests, chat)
if is_new and redis.call('ZCOUNT', sent_requests, string.format('(%.0f', now - day_s * 1000), '+inf') >= tonumber(limit) then return 'too_many' end
if is_new then redis.call('ZADD', sent_requests, string.format('%.0f', now), chat) end
redis.call('EXPIRE', sent_requests, ttl_s)
for at = 6, #ARGV do redis.call('HSET', request_claims, ARGV[at], chat .. ' ' .. deadline_ms) end
redis.call('PEXPIREAT', request_claims, string.format('%.0f', deadline_ms + 1000))
return 'reserved'
