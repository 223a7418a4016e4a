--[[ retire_consumer.lua: removes a consumer of tasks, if it has no pending task.
     KEYS     tasks (STREAM)
     ARGV     consumer
     Returns  'removed' | 'has_tasks' (others will claim them) ]]
-- flags: allow-oom
local tasks = KEYS[1]
local consumer = ARGV[1]
if redis.call('EXISTS', tasks) == 0 then return 'removed' end
local pending = redis.call('XPENDING', tasks, 'workers', '-', '+', 1, consumer)
if #pending > 0 then return 'has_tasks' end
redis.call('XGROUP', 'DELCONSUMER', tasks, 'workers', consumer)
return 'removed'
