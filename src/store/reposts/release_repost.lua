--[[ store/reposts/release_repost.lua — a person reposts a status no longer under an id that is dead or
     never was.
     KEYS[1] ZSET reposted      ARGV[1] id of the original   ARGV[2] id of the repost
     Returns 1 released | 0 they do not repost it under that id ]]
local held = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not held or string.format('%.0f', -held) ~= ARGV[2] then return 0 end
return redis.call('ZREM', KEYS[1], ARGV[1])
