--[[ finish_task.lua: acknowledges a task and adds its successor in one step. If two workers did the same
     task, only one of them succeeds.
     KEYS     tasks (STREAM), later (ZSET), dead (STREAM)
     ARGV     entry_id, result ('done' | 'next' | 'retry' | 'dead'),
              task (the next one, or this one to retry or to give up), attempts, retry_token,
              detail (time of the retry, ms; or the reason to give up)
     Returns  'finished' | 'already_finished' (by another worker) ]]
local tasks, later, dead = unpack(KEYS)
local entry_id, result, task, attempts, retry_token, detail = unpack(ARGV)
if redis.call('XACK', tasks, 'workers', entry_id) == 0 then return 'already_finished' end
redis.call('XDEL', tasks, entry_id)
if result == 'next' then
  redis.call('XADD', tasks, '*', 'task', task, 'attempts', 0)
elseif result == 'retry' then
  redis.call('ZADD', later, detail, retry_token .. ' ' .. attempts .. ' ' .. task)
elseif result == 'dead' then
  redis.call('XADD', dead, '*', 'task', task, 'attempts', attempts, 'error', detail)
end
return 'finished'
