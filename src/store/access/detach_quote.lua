--[[ detach_quote.lua: removes the quoted status from a quote, for the author of the quoted status. The field
     `detached_from` takes the place of `quote_of`, so no edit attaches it again.
     KEYS     status (HASH)
     ARGV     deadline_ms, user_id (who asks)
     Returns  'done' (by this call or an earlier one) | 'not_found' (no such status, a deleted one, or one that quotes
              no status of this user) ]]
-- flags: allow-oom
-- include: late, rewrite_field
local status = KEYS[1]
local deadline_ms, user_id = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local deleted, quote_of, detached_from = unpack(redis.call('HMGET', status, 'deleted', 'quote_of', 'detached_from'))
local quoted = quote_of or detached_from
if deleted or not quoted or string.match(quoted, '%d+$') ~= user_id then return 'not_found' end
if quote_of then
  redis.call('HSET', status, 'detached_from', quote_of)
  redis.call('HDEL', status, 'quote_of')
else
  rewrite_field(status, 'detached_from')
end
return 'done'
