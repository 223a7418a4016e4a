--[[ set_password.lua: replaces a password hash if it is still the verified one. A new epoch ends every
     session, and removes the recovery codes and the link, which someone else could know.
     KEYS     auth (HASH), channel (of the user), recovery (HASH)
     ARGV     deadline_ms, old_hash, new_hash,
              new_epoch ('' keeps the epoch: a re-hash of the same password),
              session_epoch (of the session that asks; needed with a new epoch)
     Returns  'replaced' (by this call or an earlier try) | 'outdated' (hash or epoch has changed) ]]
-- flags: allow-oom
-- include: late, rewrite_field, publish_change
local auth, channel, recovery = unpack(KEYS)
local deadline_ms, old_hash, new_hash, new_epoch, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local hash = redis.call('HGET', auth, 'hash')
if hash == new_hash then
  rewrite_field(auth, 'hash')
  return 'replaced'
end
if hash ~= old_hash then return 'outdated' end
if new_epoch ~= '' and redis.call('HGET', auth, 'epoch') ~= session_epoch then return 'outdated' end
redis.call('HSET', auth, 'hash', new_hash)
if new_epoch ~= '' then
  redis.call('HSET', auth, 'epoch', new_epoch)
  redis.call('DEL', recovery)
  publish_change(channel)
end
return 'replaced'
