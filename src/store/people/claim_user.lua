--[[ claim_user.lua: claims a drawn user id for a new user.
     KEYS     user (HASH), auth (HASH), active_mark (STRING)
     ARGV     deadline_ms, user_id, login, name, signup_ms, password_hash, epoch, idempotency_key,
              mark_ttl_s (an empty home is complete, which is certain only now), admission (or ''), role (or ''),
              application (a request to join, or ''), end_ms (of the request),
              newcomer ('1' if the limits of new accounts apply, or '')
     Returns  'claimed' (by this call or an earlier try) | 'taken' (the id has or had another owner) ]]
-- include: late, rewrite_field
local user, auth, active_mark = unpack(KEYS)
local deadline_ms, user_id, login, name, signup_ms, password_hash, epoch, idempotency_key, mark_ttl_s, admission, role, application, end_ms, newcomer = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('EXISTS', user) == 1 then
  if redis.call('HGET', auth, 'idempotency_key') ~= idempotency_key then return 'taken' end
  rewrite_field(auth, 'idempotency_key')
  return 'claimed'
end
redis.call('HSET', user, 'id', user_id, 'login', login, 'name', name, 'bio', '',
  'signup', signup_ms, 'posts', 0, 'followers', 0, 'following', 0, 'last', 0)
redis.call('HSET', auth, 'hash', password_hash, 'epoch', epoch, 'idempotency_key', idempotency_key)
if admission ~= '' then redis.call('HSET', user, 'admission', admission) end
if newcomer ~= '' then redis.call('HSET', user, 'newcomer_since', signup_ms) end
if role ~= '' then redis.call('HSET', user, 'role', role) end
if application ~= '' then
  redis.call('HSET', user, 'application', application, 'leaving', end_ms)
  redis.call('HSET', auth, 'restriction', 'waiting')
end
redis.call('SET', active_mark, 0, 'EX', mark_ttl_s)
return 'claimed'
