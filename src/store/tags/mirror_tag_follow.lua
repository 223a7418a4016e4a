--[[ store/tags/mirror_tag_follow.lua — notes who follows a tag, and reads the newest statuses with it
     in the same step, so that no post falls between the two.
     KEYS[1] ZSET tag_followers    KEYS[2] ZSET tagged
     ARGV[1] deadline (ms)      ARGV[2] who follows it (user id)    ARGV[3] how many statuses to read
     Returns {how many follow it, number of statuses with it, ids of the newest of these, newest first} ]]
-- include: late, next_score
if late(ARGV[1]) then return redis.error_reply(LATE) end
if not redis.call('ZSCORE', KEYS[1], ARGV[2]) then
  redis.call('ZADD', KEYS[1], next_score(KEYS[1]), ARGV[2])
end
return {redis.call('ZCARD', KEYS[1]), redis.call('ZCARD', KEYS[2]),
  redis.call('ZRANGE', KEYS[2], 0, ARGV[3] - 1)}
