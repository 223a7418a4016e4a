--[[ add_group_notice.lua: adds a notice about an act in a group to those of a user. A deleted user gets none.
     KEYS     user (HASH), group_notices (ZSET)
     ARGV     deadline_ms, notice, at_us, max_notices
     Returns  'done' ]]
-- include: late, add_at_free_score
local user, group_notices = unpack(KEYS)
local deadline_ms, notice, at_us, max_notices = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('HEXISTS', user, 'login') == 1 and not redis.call('ZSCORE', group_notices, notice) then
  add_at_free_score(group_notices, at_us, notice)
  redis.call('ZREMRANGEBYRANK', group_notices, 0, -1 - max_notices)
end
return 'done'
