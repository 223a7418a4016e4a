--[[ store/tasks/move_due.lua — moves what is due from later to now.
     KEYS[1] ZSET later         KEYS[2] STREAM tasks
     ARGV[1] due until (ms), or '' for now      ARGV[2] how many at most
     Returns how many were moved ]]
local until_ms = ARGV[1]
if until_ms == '' then
  local now = redis.call('TIME')
  until_ms = string.format('%.0f', now[1] * 1000 + math.floor(now[2] / 1000))
end
local due = redis.call('ZRANGE', KEYS[1], '-inf', until_ms, 'BYSCORE', 'LIMIT', 0, ARGV[2])
for _, entry in ipairs(due) do
  local attempts, task = string.match(entry, '^%x+ (%d+) (.+)$')
  -- What no outbox_entry looks like is given up by the worker, and holds up no other.
  if not task then attempts, task = 0, entry end
  redis.call('XADD', KEYS[2], '*', 'task', task, 'attempts', attempts)
  redis.call('ZREM', KEYS[1], entry)
end
return #due
