--[[ create_status.lua: writes a status, the source of truth of a post.
     KEYS     status (HASH)
     ARGV     deadline_ms, author_id, idempotency_key, then field, value, …
     Returns  'OK' | 'already_created' (with this idempotency key) | 'already_edited' or 'already_deleted' (since then)
              | 'taken' (another status has this id) ]]
-- include: late, rewrite_field
local status = KEYS[1]
local deadline_ms, author_id, idempotency_key = unpack(ARGV, 1, 3)
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('EXISTS', status) == 1 then
  local uid, key, deleted, edited = unpack(redis.call('HMGET', status, 'uid', 'idempotency_key', 'deleted', 'edited'))
  if uid ~= author_id or key ~= idempotency_key then return 'taken' end
  rewrite_field(status, 'idempotency_key')
  if deleted then return 'already_deleted' end
  return edited and 'already_edited' or 'already_created'
end
redis.call('HSET', status, 'uid', author_id, 'idempotency_key', idempotency_key, unpack(ARGV, 4))
return redis.status_reply('OK')
