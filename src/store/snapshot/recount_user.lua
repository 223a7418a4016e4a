--[[ store/snapshot/recount_user.lua — sets what a person's HASH says of their other keys: the id and
     the three counts.
     KEYS[1] HASH user   KEYS[2] ZSET following   KEYS[3] ZSET followers   KEYS[4] ZSET profile
     KEYS[5] STREAM arrivals    KEYS[6] channel of the person
     ARGV[1] user id
     Returns 1 counted | 0 no such person ]]
if redis.call('HEXISTS', KEYS[1], 'login') == 0 then return 0 end
redis.call('HSET', KEYS[1], 'id', ARGV[1], 'following', redis.call('ZCARD', KEYS[2]),
  'followers', redis.call('ZCARD', KEYS[3]), 'posts', redis.call('ZCARD', KEYS[4]))
tell(KEYS[5], KEYS[6])
return 1
