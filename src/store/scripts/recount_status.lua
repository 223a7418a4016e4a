--[[ store/scripts/recount_status.lua — sets how many favour a status from who does.
     KEYS[1] ZSET favourers     KEYS[2] HASH status
     Returns 1 counted | 0 the status does not live ]]
if not lives(KEYS[2]) then return 0 end
redis.call('HSET', KEYS[2], 'favourites', redis.call('ZCARD', KEYS[1]))
return 1
