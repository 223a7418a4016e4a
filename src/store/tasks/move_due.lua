--[[ move_due.lua: moves tasks that are due from the later queue to the stream.
     KEYS     later (ZSET), tasks (STREAM)
     ARGV     until_ms ('' for now), max_tasks
     Returns  the number of moved tasks ]]
local later, tasks = unpack(KEYS)
local until_ms, max_tasks = unpack(ARGV)
if until_ms == '' then
  local now = redis.call('TIME')
  until_ms = string.format('%.0f', now[1] * 1000 + math.floor(now[2] / 1000))
end
local due = redis.call('ZRANGE', later, '-inf', until_ms, 'BYSCORE', 'LIMIT', 0, max_tasks)
for _, entry in ipairs(due) do
  local attempts, task = string.match(entry, '^%x+ (%d+) (.+)$')
  -- The worker gives up an entry that does not parse. It must not block the others.
  if not task then attempts, task = 0, entry end
  redis.call('XADD', tasks, '*', 'task', task, 'attempts', attempts)
  redis.call('ZREM', later, entry)
end
return #due
