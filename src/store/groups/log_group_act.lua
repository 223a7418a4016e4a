--[[ log_group_act.lua: adds an act to the log of a group. The call that is sent twice adds one.
     KEYS     group (HASH), log (ZSET)
     ARGV     deadline_ms, entry, max_acts
     Returns  'done' (or there is no such group) ]]
-- flags: allow-oom
-- include: late, log_group_act, rewrite_field
local group, log = unpack(KEYS)
local deadline_ms, entry, max_acts = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local slug, gone = unpack(redis.call('HMGET', group, 'slug', 'gone'))
rewrite_field(group, 'slug')
if slug and not gone and not redis.call('ZSCORE', log, entry) then log_group_act(log, entry, max_acts) end
return 'done'
