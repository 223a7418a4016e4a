--[[ recover_account.lua: sets a new password by a recovery code or by the code of a link. It uses up the code,
     removes the link, and ends every session. A link also removes the recovery codes: a person who needs a link has none, and someone else could have made them.
     KEYS     recovery (HASH), auth (HASH), channel (of the user)
     ARGV     deadline_ms, digest, new_hash, new_epoch
     Returns  'recovered' (by this call or an earlier try) | 'wrong' (no such code, used, or expired) ]]
-- flags: allow-oom
-- include: late, rewrite_field, publish_change, drop_recovery_codes
local recovery, auth, channel = unpack(KEYS)
local deadline_ms, digest, new_hash, new_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local hash = redis.call('HGET', auth, 'hash')
if hash == new_hash then
  rewrite_field(auth, 'hash')
  return 'recovered'
end
local ends = redis.call('HGET', recovery, digest)
if not hash or not ends then return 'wrong' end
if ends ~= '0' and late(ends) then return 'wrong' end
redis.call('HDEL', recovery, digest)
if ends == '0' then drop_recovery_codes(recovery, true) else redis.call('DEL', recovery) end
redis.call('HSET', auth, 'hash', new_hash, 'epoch', new_epoch)
publish_change(channel)
return 'recovered'
