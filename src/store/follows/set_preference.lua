--[[ set_preference.lua: stores whether a user wants to see more or less of a followed user. 'normal' is not
     stored.
     KEYS     author_preferences (HASH), following (ZSET), user (HASH), auth (HASH)
     ARGV     deadline_ms, author_id, preference ('more', 'less' or 'normal'), session_epoch (or '')
     Returns  'set' | 'not_following' | 'session_ended' ]]
-- include: late, session_ended, rewrite_field
local author_preferences, following, user, auth = unpack(KEYS)
local deadline_ms, author_id, preference, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
if not redis.call('ZSCORE', following, author_id) then
  rewrite_field(user, 'login')
  return 'not_following'
end
if preference == 'normal' then
  redis.call('HDEL', author_preferences, author_id)
  rewrite_field(user, 'login')
else
  redis.call('HSET', author_preferences, author_id, preference)
end
return 'set'
