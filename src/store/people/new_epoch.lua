--[[ store/people/new_epoch.lua — ends every session of a person.
     KEYS[1] HASH auth          KEYS[2] channel of the person
     ARGV[1] deadline (ms)      ARGV[2] new epoch
     Returns 1 ended | 0 no such person ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'epoch', ARGV[2])
announce(KEYS[2])
return 1
