--[[ store/lists/create_list.lua — makes a list under a number that none had before, and binds the
     form's idempotency_key to it; an idempotency key that is bound already answers with what it is bound to.
     KEYS[1] HASH lists         KEYS[2] STRING idempotency_key       KEYS[3] HASH user
     KEYS[4] HASH auth
     ARGV[1] deadline (ms)      ARGV[2] name   ARGV[3] digest of the name   ARGV[4] TTL of the idempotency_key (s)
     ARGV[5] how many lists a person can have    ARGV[6] epoch of the session that asks, or ''
     Returns the number of the list | 0 another text had this idempotency_key | -1 there are too many
             -2 no such person | -3 the session is over ]]
-- include: late, session_ended, rewrite_field
if late(ARGV[1]) then return redis.error_reply(LATE) end
if session_ended(KEYS[4], ARGV[6]) then return -3 end
if redis.call('HEXISTS', KEYS[3], 'login') == 0 then return -2 end
local bound = redis.call('GET', KEYS[2])
if bound then
  local number, digest = string.match(bound, '^list:(%d+):(%x+)$')
  if digest ~= ARGV[3] then return 0 end
  rewrite_field(KEYS[1], 'last')
  return tonumber(number)
end
if redis.call('HLEN', KEYS[1]) > tonumber(ARGV[5]) then return -1 end
local number = redis.call('HINCRBY', KEYS[1], 'last', 1)
redis.call('HSET', KEYS[1], number, '0:' .. ARGV[2])
redis.call('SET', KEYS[2], 'list:' .. number .. ':' .. ARGV[3], 'EX', ARGV[4])
return number
