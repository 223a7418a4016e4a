--[[ store/tags/add_index_entry.lua — puts a status among those with a tag, or among those that mention
     somebody. Of a tag it notes as well who used it in the last day: each person once, with the newest
     of their statuses, 10,000 people at most.
     KEYS[1] ZSET statuses      KEYS[2] ZSET of who used the tag, of a tag only
     ARGV[1] deadline (ms)      ARGV[2] status id
     ARGV[3] author id and ARGV[4] epoch of ids (ms), of a tag only
     Returns how many people used the tag in the last day; 0 of a mention ]]
-- include: late, first_id_of_last_day
if late(ARGV[1]) then return redis.error_reply(LATE) end
redis.call('ZADD', KEYS[1], '-' .. ARGV[2], ARGV[2])
if not KEYS[2] then return 0 end
redis.call('ZADD', KEYS[2], 'GT', ARGV[2], ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', '(' .. first_id_of_last_day(ARGV[4]))
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -10001)
redis.call('EXPIRE', KEYS[2], DAY_S)
return redis.call('ZCARD', KEYS[2])
