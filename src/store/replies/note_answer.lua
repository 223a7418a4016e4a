--[[ store/replies/note_answer.lua — keeps a new answer among the newest ones to a person. What there is
     no room for is older than one that the person's HASH names from then on, and is not added again.
     KEYS[1] ZSET answered      KEYS[2] HASH user
     ARGV[1] deadline (ms)      ARGV[2] the answer's id  ARGV[3] how many are kept
     Returns 1 kept | 0 too old ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
local dropped = tonumber(redis.call('HGET', KEYS[2], 'answered') or 0)
if tonumber(ARGV[2]) <= dropped then return 0 end
redis.call('ZADD', KEYS[1], '-' .. ARGV[2], ARGV[2])
local size = tonumber(ARGV[3])
if redis.call('ZCARD', KEYS[1]) >= size + 24 then
  redis.call('HSET', KEYS[2], 'answered', redis.call('ZRANGE', KEYS[1], size, size)[1])
  redis.call('ZREMRANGEBYRANK', KEYS[1], size, -1)
end
return 1
