--[[ store/statuses/create_status.lua — writes a status: the truth of a post.
     KEYS[1] HASH status   ARGV[1] deadline (ms)   ARGV[2] author id   ARGV[3] idempotency_key
     ARGV[4…] field, value, …: all else that it holds
     Returns 1 created | 0 this idempotency_key created it before | 2 and it has been deleted since
             -1 another status has this id ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
if redis.call('EXISTS', KEYS[1]) == 1 then
  local held = redis.call('HMGET', KEYS[1], 'uid', 'idempotency_key', 'deleted')
  if held[1] ~= ARGV[2] or held[2] ~= ARGV[3] then return -1 end
  confirm(KEYS[1], 'idempotency_key')
  if held[3] then return 2 end
  return 0
end
redis.call('HSET', KEYS[1], 'uid', ARGV[2], 'idempotency_key', ARGV[3], unpack(ARGV, 4))
return 1
