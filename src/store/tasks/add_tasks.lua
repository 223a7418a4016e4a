--[[ add_tasks.lua: adds tasks to the stream. It works with full memory, because the rest of a deletion is a
     task.
     KEYS     tasks (STREAM)
     ARGV     then task, …
     Returns  'added' ]]
-- flags: allow-oom
local tasks = KEYS[1]
for _, task in ipairs(ARGV) do redis.call('XADD', tasks, '*', 'task', task, 'attempts', 0) end
return 'added'
