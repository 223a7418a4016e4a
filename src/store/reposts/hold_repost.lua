--[[ store/reposts/hold_repost.lua — lets a living repost be the one under which a person reposts a
     status, where no other is.
     KEYS[1] ZSET reposted
     ARGV[1] deadline (ms)      ARGV[2] id of the original   ARGV[3] id of the repost
     Returns the id under which they repost it: this one, or another ]]
-- include: late
if late(ARGV[1]) then return redis.error_reply(LATE) end
redis.call('ZADD', KEYS[1], 'NX', '-' .. ARGV[3], ARGV[2])
return string.format('%.0f', -redis.call('ZSCORE', KEYS[1], ARGV[2]))
