--[[ recount_status.lua: stores the numbers of favourites, replies, reposts and quotes of a status.
     KEYS     favourited_by (ZSET), status (HASH), replies (ZSET), gaps (ZSET), reposts (ZSET),
              quotes (ZSET)
     Returns  'counted' | 'not_found' ]]
-- include: store_reply_counts
local favourited_by, status, replies, gaps, reposts, quotes = unpack(KEYS)
if not store_reply_counts(status, replies, gaps) then return 'not_found' end
redis.call('HSET', status, 'favourite_count', redis.call('ZCARD', favourited_by),
  'repost_count', redis.call('ZCARD', reposts), 'quote_count', redis.call('ZCARD', quotes))
return 'counted'
