--[[ log_act.lua: adds an entry to the log of the administration. The call that is sent twice adds one.
     KEYS     log (ZSET)
     ARGV     deadline_ms, entry
     Returns  'logged' ]]
-- flags: allow-oom
-- include: late, next_score
local log = KEYS[1]
local deadline_ms, entry = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local score = redis.call('ZSCORE', log, entry)
if score then
  redis.call('ZREM', log, entry)
else
  score = next_score(log)
end
redis.call('ZADD', log, score, entry)
return 'logged'
