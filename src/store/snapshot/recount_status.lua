--[[ store/snapshot/recount_status.lua — sets how many favourite, answer, repost and quote a status from who
     and what does.
     KEYS[1] ZSET favourited_by     KEYS[2] HASH status   KEYS[3] ZSET answers   KEYS[4] ZSET gaps
     KEYS[5] ZSET reposts       KEYS[6] ZSET quotes
     Returns 1 counted | 0 the status does not live ]]
if not count_answers(KEYS[2], KEYS[3], KEYS[4]) then return 0 end
redis.call('HSET', KEYS[2], 'favourites', redis.call('ZCARD', KEYS[1]),
  'reposted', redis.call('ZCARD', KEYS[5]), 'quoted', redis.call('ZCARD', KEYS[6]))
return 1
