--[[ store/scripts/create_status.lua — writes a status: the truth of a post.
     KEYS[1] HASH status        ARGV[1] deadline (ms)      ARGV[2] id   ARGV[3] author id
     ARGV[4] login              ARGV[5] message            ARGV[6] posted (ms)   ARGV[7] nonce
     Returns 1 created | 0 this nonce created it before | 2 and it has been deleted since
             -1 another status has this id ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
if redis.call('EXISTS', KEYS[1]) == 1 then
  local held = redis.call('HMGET', KEYS[1], 'uid', 'nonce', 'deleted')
  if held[1] ~= ARGV[3] or held[2] ~= ARGV[7] then return -1 end
  confirm(KEYS[1], 'nonce')
  if held[3] then return 2 end
  return 0
end
redis.call('HSET', KEYS[1], 'id', ARGV[2], 'uid', ARGV[3], 'login', ARGV[4],
  'message', ARGV[5], 'posted', ARGV[6], 'nonce', ARGV[7])
return 1
