--[[ store/snapshot/age_status.lua — gives a tombstone the end that it lacks, and takes one from a
     status that lives.
     KEYS[1] HASH status        ARGV[1] TTL of a tombstone (s)
     Returns 1 ]]
if redis.call('HEXISTS', KEYS[1], 'deleted') == 0 then
  redis.call('PERSIST', KEYS[1])
elseif redis.call('TTL', KEYS[1]) == -1 then
  redis.call('EXPIRE', KEYS[1], ARGV[1])
end
return 1
