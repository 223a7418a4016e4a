--[[ revive_task.lua: puts a task that was given up back into the stream, with new attempts.
     KEYS     dead (STREAM), tasks (STREAM)
     ARGV     entry_id, task
     Returns  'revived' | 'not_found' ]]
-- flags: allow-oom
local dead, tasks = unpack(KEYS)
local entry_id, task = unpack(ARGV)
if redis.call('XDEL', dead, entry_id) == 0 then return 'not_found' end
redis.call('XADD', tasks, '*', 'task', task, 'attempts', 0)
return 'revived'
