--[[ create_list.lua: creates a list under an unused number, and binds the idempotency key of the form to it.
     A key that is bound already returns its list, unless that was renamed or deleted since.
     KEYS     lists (HASH), idempotency_key (STRING), user (HASH), auth (HASH)
     ARGV     deadline_ms, name, digest (of the name), key_ttl_s, limit, session_epoch (or '')
     Returns  {'created', number of the list} | {'conflict'} (the key is bound to another text, or to such a list)
              | {'too_many'} | {'unknown_user'} | {'session_ended'} ]]
-- include: late, session_ended, rewrite_field
local lists, idempotency_key, user, auth = unpack(KEYS)
local deadline_ms, name, digest, key_ttl_s, limit, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return {'session_ended'} end
if redis.call('HEXISTS', user, 'login') == 0 then return {'unknown_user'} end
local bound = redis.call('GET', idempotency_key)
if bound then
  local bound_number, bound_digest = string.match(bound, '^list:(%d+):(%x+)$')
  rewrite_field(lists, 'last')
  local stored = bound_number and redis.call('HGET', lists, bound_number)
  if bound_digest ~= digest or not stored or string.sub(stored, 3) ~= name then return {'conflict'} end
  return {'created', bound_number}
end
if redis.call('HLEN', lists) > tonumber(limit) then return {'too_many'} end
local number = tostring(redis.call('HINCRBY', lists, 'last', 1))
redis.call('HSET', lists, number, '0:' .. name)
redis.call('SET', idempotency_key, 'list:' .. number .. ':' .. digest, 'EX', key_ttl_s)
return {'created', number}
