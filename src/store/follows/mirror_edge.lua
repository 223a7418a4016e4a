--[[ store/follows/mirror_edge.lua — adds one to somebody's audience, their followers or the lists that
     they stand in, and reads what they posted and what answers them in the same step, so that no post
     falls between the two. Where the audience is counted, they are told of one who is new, in this step
     as well.
     KEYS[1] ZSET audience      KEYS[2] HASH user     KEYS[3] ZSET profile   KEYS[4] ZSET answered
     KEYS[5] STREAM arrivals    KEYS[6] channel of this person     KEYS[7] ZSET notifications
     KEYS[8] HASH read_marker, these four where it is counted
     ARGV[1] deadline (ms)      ARGV[2] whom to add   ARGV[3] how many statuses to read
     ARGV[4] field of user that counts this audience, or ''
     ARGV[5] what they are told (a member of notifications), where it is counted, and
     ARGV[6] how many of these are kept
     Returns {size of the audience, number of statuses in the profile, ids of the newest of these,
              ids of answers, the newest older answer or 0}, both newest first ]]
-- include: late, next_score, add_notification, notify_watchers
if late(ARGV[1]) then return redis.error_reply(LATE) end
local new = not redis.call('ZSCORE', KEYS[1], ARGV[2])
local score = new and next_score(KEYS[1])
if new then redis.call('ZADD', KEYS[1], score, ARGV[2]) end
local count = redis.call('ZCARD', KEYS[1])
if ARGV[4] ~= '' and redis.call('HEXISTS', KEYS[2], 'login') == 1 then
  redis.call('HSET', KEYS[2], ARGV[4], count)
  if new then add_notification(KEYS[7], KEYS[8], ARGV[6], ARGV[5], score) end
  notify_watchers(KEYS[5], KEYS[6])
end
local older = redis.call('ZRANGE', KEYS[4], ARGV[3], ARGV[3])[1] or redis.call('HGET', KEYS[2], 'dropped_reply')
return {count, redis.call('ZCARD', KEYS[3]), redis.call('ZRANGE', KEYS[3], 0, ARGV[3] - 1),
  redis.call('ZRANGE', KEYS[4], 0, ARGV[3] - 1), older or 0}
