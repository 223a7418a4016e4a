--[[ store/statuses/bury_status.lua — leaves a tombstone where a status was: the truth of a delete.
     Who favourited it, how people voted in its poll and its earlier versions are forgotten in the same
     step; where it came from is kept, by which its copies are found, and what it said, until search has
     forgotten it.
     KEYS[1] HASH status        KEYS[2] ZSET favourited_by
     KEYS[3] ZSET ballots       KEYS[4] LIST versions
     ARGV[1] deadline (ms)      ARGV[2] who asks (user id)
     ARGV[3] now (ms)           ARGV[4] TTL of the tombstone (s)
     Returns 1 deleted | 2 had been deleted before | 0 not there, or another's ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
local held = redis.call('HMGET', KEYS[1], 'uid', 'idempotency_key', 'deleted', 'message', 'former')
if held[1] ~= ARGV[2] then return 0 end
if held[3] then
  confirm(KEYS[1], 'deleted')
  return 2
end
local tombstone = {'uid', held[1], 'idempotency_key', held[2] or '', 'deleted', ARGV[3]}
local kept = {'answers', 'thread', 'reposts', 'quotes', 'tags', 'mentioned', 'untagged', 'unmentioned'}
for i, value in ipairs(redis.call('HMGET', KEYS[1], unpack(kept))) do
  if value then
    tombstone[#tombstone + 1] = kept[i]
    tombstone[#tombstone + 1] = value
  end
end
redis.call('DEL', KEYS[1])
redis.call('UNLINK', KEYS[2], KEYS[3], KEYS[4])
redis.call('HSET', KEYS[1], unpack(tombstone))
if held[5] then keep_former(KEYS[1], held[5]) end
if held[4] then keep_former(KEYS[1], held[4]) end
redis.call('EXPIRE', KEYS[1], ARGV[4])
return 1
