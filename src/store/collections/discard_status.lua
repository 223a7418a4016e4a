--[[ store/collections/discard_status.lua — keeps a status no longer among a person's favourites or
     bookmarks, or a tag among those that they follow: the truth of it.
     KEYS[1] ZSET favourites, bookmarks or tags    KEYS[2] HASH user    KEYS[3] HASH auth
     ARGV[1] deadline (ms)      ARGV[2] status id or tag   ARGV[3] epoch of the session, or ''
     Returns 1 kept no longer | 0 was not kept | -3 the session is over ]]
-- include: late, session_ended, rewrite_field
if late(ARGV[1]) then return redis.error_reply(LATE) end
if session_ended(KEYS[3], ARGV[3]) then return -3 end
if redis.call('ZREM', KEYS[1], ARGV[2]) == 0 then
  rewrite_field(KEYS[2], 'login')
  return 0
end
return 1
