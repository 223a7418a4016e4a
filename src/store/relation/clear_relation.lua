--[[ clear_relation.lua: removes a relation of a user, the source of truth, and what depends on it.
     KEYS     relation (ZSET), user (HASH), auth (HASH), arrivals (STREAM), channel (of the user),
              block (ZSET: `blocked` or `blocked_by` of the user), then dependents (HASHes, then ZSETs, which lose the member too)
     ARGV     deadline_ms, member, session_epoch (or ''), count_field (of the user, or ''),
              hash_count (number of HASHes), block_member, block_score (of the block for which it is removed, or '')
     Returns  'cleared' | 'unchanged' | 'kept' (the block has ended) | 'session_ended' ]]
-- flags: allow-oom
-- include: late, session_ended, rewrite_field, block_ended, notify_watchers
local relation, user, auth, arrivals, channel, block = unpack(KEYS)
local deadline_ms, member, session_epoch, count_field, hash_count, block_member, block_score = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
if block_ended(block, block_member, block_score) then
  rewrite_field(user, 'login')
  return 'kept'
end
for index = 7, #KEYS do
  if index - 6 <= tonumber(hash_count) then
    redis.call('HDEL', KEYS[index], member)
  else
    redis.call('ZREM', KEYS[index], member)
  end
end
if redis.call('ZREM', relation, member) == 0 then
  rewrite_field(user, 'login')
  return 'unchanged'
end
if count_field ~= '' then
  redis.call('HSET', user, count_field, redis.call('ZCARD', relation))
  notify_watchers(arrivals, channel)
end
return 'cleared'
