--[[ create_task_group.lua: creates the consumer group of a stream of tasks, and the stream. It works with full
     memory, because the deletion of an account can be the first task of its partition.
     KEYS     tasks (STREAM)
     ARGV     group
     Returns  'created' | 'exists' ]]
-- flags: allow-oom
local tasks = KEYS[1]
local group = ARGV[1]
local reply = redis.pcall('XGROUP', 'CREATE', tasks, group, 0, 'MKSTREAM')
if not reply.err then return 'created' end
if string.find(reply.err, 'BUSYGROUP', 1, true) then return 'exists' end
return redis.error_reply(reply.err)
