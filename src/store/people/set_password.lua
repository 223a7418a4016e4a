--[[ store/people/set_password.lua — replaces a password hash, if it is still the one that was
     verified, and where an epoch is given ends every session.
     KEYS[1] HASH auth          KEYS[2] channel of the person
     ARGV[1] deadline (ms)      ARGV[2] old hash           ARGV[3] new hash
     ARGV[4] new epoch, or '' to keep it (a re-hash of the same password)
     ARGV[5] with a new epoch: the one of the session that asks
     Returns 1 replaced, by this call | 0 it, or the epoch, changed meanwhile ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
local hash = redis.call('HGET', KEYS[1], 'hash')
if hash == ARGV[3] then
  confirm(KEYS[1], 'hash')
  return 1
end
if hash ~= ARGV[2] then return 0 end
if ARGV[4] ~= '' and redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[5] then return 0 end
redis.call('HSET', KEYS[1], 'hash', ARGV[3])
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[1], 'epoch', ARGV[4])
  announce(KEYS[2])
end
return 1
