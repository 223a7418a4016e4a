--[[ store/tasks/retire_consumer.lua — forgets a consumer of tasks, if it holds none.
     KEYS[1] STREAM tasks       ARGV[1] consumer
     Returns 1 forgotten | 0 it holds tasks, which others will claim ]]
if redis.call('EXISTS', KEYS[1]) == 0 then return 1 end
local held = redis.call('XPENDING', KEYS[1], 'workers', '-', '+', 1, ARGV[1])
if #held > 0 then return 0 end
redis.call('XGROUP', 'DELCONSUMER', KEYS[1], 'workers', ARGV[1])
return 1
