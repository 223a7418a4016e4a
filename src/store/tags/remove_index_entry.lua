--[[ store/tags/remove_index_entry.lua — takes a status from among those with a tag, or from among those
     that mention somebody. Whoever used the tag in the last day and takes the newest of these back does
     not count as having used it.
     KEYS[1] ZSET statuses      KEYS[2] ZSET of who used the tag, of a tag only
     ARGV[1] status id
     ARGV[2] author id and ARGV[3] epoch of ids (ms), of a tag only
     Returns how many people used the tag in the last day; 0 of a mention ]]
-- include: first_id_of_last_day
redis.call('ZREM', KEYS[1], ARGV[1])
if not KEYS[2] then return 0 end
local newest = redis.call('ZSCORE', KEYS[2], ARGV[2])
if newest and tonumber(newest) == tonumber(ARGV[1]) then redis.call('ZREM', KEYS[2], ARGV[2]) end
return redis.call('ZCOUNT', KEYS[2], first_id_of_last_day(ARGV[3]), '+inf')
