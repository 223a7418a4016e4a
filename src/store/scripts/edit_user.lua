--[[ store/scripts/edit_user.lua — changes what a person says of themself.
     KEYS[1] HASH user          ARGV[1] deadline (ms)      ARGV[2] name   ARGV[3] bio
     Returns 1 changed | 0 no such person ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
if redis.call('HEXISTS', KEYS[1], 'login') == 0 then return 0 end
redis.call('HSET', KEYS[1], 'name', ARGV[2], 'bio', ARGV[3])
return 1
