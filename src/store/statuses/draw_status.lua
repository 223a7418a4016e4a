--[[ draw_status.lua: draws a status id above the author's last id and above the status that the new one
     replies to or quotes. Binds the idempotency key of the form to the id. A key that is bound already
     returns its id.
     KEYS     user (HASH), idempotency_key (STRING), auth (HASH)
     ARGV     digest (of the text), key_ttl_s, random_bits, epoch_ms (of ids),
              refused_id (an id that was taken, or ''), session_epoch (or ''), above (an id, or 0)
     Returns  {'drawn', id, login of the author} | {'conflict'} (the key is bound to another text)
              | {'unknown_author'} | {'session_ended'} ]]
-- include: session_ended, rewrite_field, draw_id
local user, idempotency_key, auth = unpack(KEYS)
local digest, key_ttl_s, random_bits, epoch_ms, refused_id, session_epoch, above = unpack(ARGV)
if session_ended(auth, session_epoch) then return {'session_ended'} end
local login = redis.call('HGET', user, 'login')
if not login then return {'unknown_author'} end
local bound = redis.call('GET', idempotency_key)
if bound then
  local bound_id, bound_digest = string.match(bound, '^(%d+):(%x+)$')
  if bound_digest ~= digest then return {'conflict'} end
  if bound_id ~= refused_id then
    rewrite_field(user, 'last')
    return {'drawn', bound_id, login}
  end
end
local id = draw_id(user, random_bits, epoch_ms, above)
redis.call('SET', idempotency_key, id .. ':' .. digest, 'EX', key_ttl_s)
return {'drawn', id, login}
