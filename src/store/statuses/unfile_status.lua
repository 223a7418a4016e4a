--[[ store/statuses/unfile_status.lua — takes a dead status off its author's profile and own home, and
     what they were told about it out of their notifications.
     KEYS[1] ZSET profile   KEYS[2] HASH user   KEYS[3] ZSET home
     KEYS[4] STREAM arrivals   KEYS[5] channel of the author   KEYS[6] ZSET posts
     KEYS[7] ZSET notifications
     ARGV[1] status id
     Returns 1 ]]
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[6], ARGV[1])
redis.call('HSET', KEYS[2], 'posts', redis.call('ZCARD', KEYS[1]))
forget_status(KEYS[7], ARGV[1])
tell(KEYS[4], KEYS[5])
return 1
