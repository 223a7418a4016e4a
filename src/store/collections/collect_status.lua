--[[ store/collections/collect_status.lua — keeps a status among a person's favourites or bookmarks, or a tag
     among those that they follow: the truth of it.
     KEYS[1] ZSET favourites, bookmarks or tags    KEYS[2] HASH user    KEYS[3] HASH auth
     ARGV[1] deadline (ms)      ARGV[2] status id or tag   ARGV[3] how many one can keep there
     ARGV[4] epoch of the session that asks, or ''
     Returns 1 kept now | 0 kept before | -1 keeps too many | -2 no such person |
     -3 the session is over ]]
-- include: late, session_ended, rewrite_field, next_score
if late(ARGV[1]) then return redis.error_reply(LATE) end
if session_ended(KEYS[3], ARGV[4]) then return -3 end
if redis.call('HEXISTS', KEYS[2], 'login') == 0 then return -2 end
if redis.call('ZSCORE', KEYS[1], ARGV[2]) then
  rewrite_field(KEYS[2], 'login')
  return 0
end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return -1 end
redis.call('ZADD', KEYS[1], next_score(KEYS[1]), ARGV[2])
return 1
