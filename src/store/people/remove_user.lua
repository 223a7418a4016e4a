--[[ store/people/remove_user.lua — takes back a person whose sign-up never got its login.
     KEYS[1] HASH user          KEYS[2] HASH auth          KEYS[3] STRING active mark
     ARGV[1] now (ms)
     Returns 1 ]]
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('HSET', KEYS[1], 'gone', ARGV[1])
return 1
