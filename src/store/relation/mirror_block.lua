--[[ mirror_block.lua: writes the mirror of a block, in the slot of the blocked user. It works with full memory,
     because it revokes access. A deleted user gets no mirror.
     KEYS     blocked_by (ZSET), user (HASH)
     ARGV     deadline_ms, member (the user who blocks)
     Returns  'done' (by this call or an earlier one) | 'deleted' (the account was deleted) ]]
-- flags: allow-oom
-- include: late, next_score
local blocked_by, user = unpack(KEYS)
local deadline_ms, member = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('HEXISTS', user, 'gone') == 1 then return 'deleted' end
if not redis.call('ZSCORE', blocked_by, member) then
  redis.call('ZADD', blocked_by, next_score(blocked_by), member)
end
return 'done'
