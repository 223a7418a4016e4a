--[[ store/scripts/recount_status.lua — sets how many favour, repost and quote a status from who does.
     KEYS[1] HASH status        KEYS[2] ZSET favourers   KEYS[3] ZSET reposts   KEYS[4] ZSET quotes
     Returns 1 counted | 0 the status does not live ]]
if not lives(KEYS[1]) then return 0 end
redis.call('HSET', KEYS[1], 'favourites', redis.call('ZCARD', KEYS[2]),
  'reposted', redis.call('ZCARD', KEYS[3]), 'quoted', redis.call('ZCARD', KEYS[4]))
return 1
