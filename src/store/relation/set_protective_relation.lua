--[[ set_protective_relation.lua: sets a relation by which a user keeps away from others: a block, or the mute of a
     conversation. This is the source of truth. It works with full memory, because it protects the user. An entry has
     a fixed size, and their number is limited.
     KEYS     relation (ZSET), user (HASH), auth (HASH)
     ARGV     deadline_ms, member, limit, session_epoch (or '')
     Returns  'set' (by this call or an earlier one) | 'too_many' | 'not_found' (no such user) | 'session_ended' ]]
-- flags: allow-oom
-- include: late, session_ended, rewrite_field, next_score
local relation, user, auth = unpack(KEYS)
local deadline_ms, member, limit, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
if redis.call('HEXISTS', user, 'login') == 0 then return 'not_found' end
if redis.call('ZSCORE', relation, member) then
  rewrite_field(user, 'login')
  return 'set'
end
if redis.call('ZCARD', relation) >= tonumber(limit) then return 'too_many' end
redis.call('ZADD', relation, next_score(relation), member)
return 'set'
