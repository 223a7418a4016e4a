--[[ store/people/claim_user.lua — takes a drawn user id for a new person.
     KEYS[1] HASH user          KEYS[2] HASH auth          KEYS[3] STRING active mark
     ARGV[1] deadline (ms)      ARGV[2] id   ARGV[3] login   ARGV[4] name   ARGV[5] sign-up (ms)
     ARGV[6] password hash      ARGV[7] epoch                ARGV[8] idempotency_key
     ARGV[9] TTL of the mark (s): an empty home is complete, and only now is it known to be empty
     Returns 1 claimed, by this very call | -1 the id is another's, or once was ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
if redis.call('EXISTS', KEYS[1]) == 1 then
  if redis.call('HGET', KEYS[2], 'idempotency_key') ~= ARGV[8] then return -1 end
  confirm(KEYS[2], 'idempotency_key')
  return 1
end
redis.call('HSET', KEYS[1], 'id', ARGV[2], 'login', ARGV[3], 'name', ARGV[4], 'bio', '',
  'signup', ARGV[5], 'posts', 0, 'followers', 0, 'following', 0, 'last', 0)
redis.call('HSET', KEYS[2], 'hash', ARGV[6], 'epoch', ARGV[7], 'idempotency_key', ARGV[8])
redis.call('SET', KEYS[3], 0, 'EX', ARGV[9])
return 1
