--[[ store/tasks/finish_task.lua — acknowledges a task and, in the same step, leaves what follows
     from it: only one of two workers that did the same task does.
     KEYS[1] STREAM tasks       KEYS[2] ZSET later         KEYS[3] STREAM dead
     ARGV[1] id of the entry    ARGV[2] 'done' | 'next' | 'retry' | 'dead'
     ARGV[3] task that follows, is retried or given up     ARGV[4] attempts so far
     ARGV[5] token of a retry   ARGV[6] when it is due (ms), or why it is given up
     Returns 1 finished | 0 another worker had ]]
if redis.call('XACK', KEYS[1], 'workers', ARGV[1]) == 0 then return 0 end
redis.call('XDEL', KEYS[1], ARGV[1])
if ARGV[2] == 'next' then
  redis.call('XADD', KEYS[1], '*', 'task', ARGV[3], 'attempts', 0)
elseif ARGV[2] == 'retry' then
  redis.call('ZADD', KEYS[2], ARGV[6], ARGV[5] .. ' ' .. ARGV[4] .. ' ' .. ARGV[3])
elseif ARGV[2] == 'dead' then
  redis.call('XADD', KEYS[3], '*', 'task', ARGV[3], 'attempts', ARGV[4], 'error', ARGV[6])
end
return 1
