--[[ draw_status.lua: draws a status id above the author's last id and above the status that the new one
     replies to or quotes. Binds the idempotency key of the form to the id. A key that is bound already
     returns its id.
     KEYS     user (HASH), idempotency_key (STRING), auth (HASH), profile (ZSET), post_bytes (HASH)
     ARGV     digest (of the text), key_ttl_s, random_bits, epoch_ms (of ids),
              refused_id (an id that was taken, or ''), session_epoch (or ''), above (an id, or 0),
              extra_bytes (of the status beyond the base), base_bytes (that each status counts as), quota_bytes,
              visibility (that the composer remembers, or ''), age_ms (of the status: 0 unless it is dated back)
     Returns  {'drawn', id, login of the author, '1' if the account is private}
              | {'conflict'} (the key is bound to another text) | {'unknown_author'} | {'session_ended'} | {'over_quota'} (the key is not bound) ]]
-- include: session_ended, rewrite_field, draw_id, reserve_room
local user, idempotency_key, auth, profile, post_bytes = unpack(KEYS)
local digest, key_ttl_s, random_bits, epoch_ms, refused_id, session_epoch, above, extra_bytes, base_bytes, quota_bytes, visibility, age_ms = unpack(ARGV)
if session_ended(auth, session_epoch) then return {'session_ended'} end
local login, private = unpack(redis.call('HMGET', user, 'login', 'private'))
if not login then return {'unknown_author'} end
local bound = redis.call('GET', idempotency_key)
if bound then
  local bound_id, bound_digest = string.match(bound, '^(%d+):(%x+)$')
  if bound_digest ~= digest then return {'conflict'} end
  if bound_id ~= refused_id then
    if not reserve_room(profile, post_bytes, bound_id, extra_bytes, base_bytes, quota_bytes) then
      return {'over_quota'}
    end
    rewrite_field(user, 'last')
    return {'drawn', bound_id, login, private or nil}
  end
end
local id = draw_id(user, random_bits, epoch_ms, above, age_ms)
if not reserve_room(profile, post_bytes, id, extra_bytes, base_bytes, quota_bytes) then return {'over_quota'} end
if visibility ~= '' then redis.call('HSET', user, 'visibility', visibility) end
redis.call('SET', idempotency_key, id .. ':' .. digest, 'EX', key_ttl_s)
return {'drawn', id, login, private or nil}
