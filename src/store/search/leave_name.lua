--[[ store/search/leave_name.lua — lists a person no longer under words that are not theirs.
     KEYS[1] ZSET names         ARGV[1] deadline (ms)      ARGV[2…] `<word> <user id>`
     Returns how many stood there ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
return redis.call('ZREM', KEYS[1], unpack(ARGV, 2))
