--[[ finish_task.lua: acknowledges a task and adds its successor in one step. If two workers did the same
     task, only one of them succeeds.
     KEYS     tasks (STREAM), later (ZSET), dead (STREAM)
     ARGV     entry_id, result ('done' | 'next' | 'retry' | 'dead'), max_dead (the oldest ones go),
              task (the next one, or this one to retry or to give up), attempts, retry_token,
              detail (delay of the retry, ms; or the reason to give up)
     Returns  'finished' | 'already_finished' (by another worker) ]]
-- flags: allow-oom
local tasks, later, dead = unpack(KEYS)
local entry_id, result, max_dead, task, attempts, retry_token, detail = unpack(ARGV)
if redis.call('XACK', tasks, 'workers', entry_id) == 0 then return 'already_finished' end
redis.call('XDEL', tasks, entry_id)
if result == 'next' then
  redis.call('XADD', tasks, '*', 'task', task, 'attempts', 0, 'continues', 1)
elseif result == 'retry' then
  local now = redis.call('TIME')
  local due = now[1] * 1000 + math.floor(now[2] / 1000) + tonumber(detail)
  redis.call('ZADD', later, string.format('%.0f', due), retry_token .. ' ' .. attempts .. ' ' .. task)
elseif result == 'dead' then
  redis.call('XADD', dead, 'MAXLEN', max_dead, '*', 'task', task, 'attempts', attempts, 'error', detail)
end
return 'finished'
