--[[ store/statuses/draw_status.lua — draws a status id above the author's last, and above what it answers
     or quotes, and binds the form's idempotency_key to it; a idempotency_key that is bound already answers with what it is
     bound to.
     KEYS[1] HASH user          KEYS[2] STRING idempotency_key       KEYS[3] HASH auth
     ARGV[1] digest of the text ARGV[2] TTL of the idempotency_key (s)   ARGV[3] random bits
     ARGV[4] epoch of ids (ms)  ARGV[5] an id that turned out to be taken, or ''
     ARGV[6] epoch of the session that asks, or ''         ARGV[7] id that it must be above, or 0
     Returns {id, login of the author} | {'conflict'} another text had this idempotency_key | {'unknown'} |
     {'ended'} the session is over ]]
if ended(KEYS[3], ARGV[6]) then return {'ended'} end
local login = redis.call('HGET', KEYS[1], 'login')
if not login then return {'unknown'} end
local bound = redis.call('GET', KEYS[2])
if bound then
  local id, digest = string.match(bound, '^(%d+):(%x+)$')
  if digest ~= ARGV[1] then return {'conflict'} end
  if id ~= ARGV[5] then
    confirm(KEYS[1], 'last')
    return {id, login}
  end
end
local id = draw_id(KEYS[1], ARGV[3], ARGV[4], ARGV[7])
redis.call('SET', KEYS[2], id .. ':' .. ARGV[1], 'EX', ARGV[2])
return {id, login}
