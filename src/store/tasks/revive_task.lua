--[[ store/tasks/revive_task.lua — puts a task that was given up back to be done, with new tries.
     KEYS[1] STREAM dead        KEYS[2] STREAM tasks
     ARGV[1] id of the entry    ARGV[2] task
     Returns 1 put back | 0 it was not there any more ]]
if redis.call('XDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('XADD', KEYS[2], '*', 'task', ARGV[2], 'attempts', 0)
return 1
