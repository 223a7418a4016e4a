--[[ move_due.lua: moves tasks that are due from the later queue to the stream. An entry that is further ahead
     than its longest delay was added before the clock was set back. It becomes due after the outbox delay,
     so that it does not wait as long as the step. A task that was taken at such a time counts as taken now, so
     that the task of a lost worker does not wait as long either.
     KEYS     later (ZSET), tasks (STREAM)
     ARGV     until_ms ('' for now), max_tasks, outbox_delay_ms, max_retry_delay_ms
     Returns  the number of moved tasks ]]
-- flags: allow-oom
local later, tasks = unpack(KEYS)
local until_ms, max_tasks, outbox_delay_ms, max_retry_delay_ms = unpack(ARGV)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function at(delay) return string.format('%.0f', now + tonumber(delay)) end

local function correct_times_of_taken_tasks()
  local from = '-'
  repeat
    local taken = redis.pcall('XPENDING', tasks, 'workers', from, '+', max_tasks)
    if taken.err then return end -- No worker has created the group yet.
    for _, entry in ipairs(taken) do
      local id, consumer, idle_ms = unpack(entry)
      -- Redis reports a time ahead as now, and XCLAIM sets it to now.
      if idle_ms == 0 then redis.call('XCLAIM', tasks, 'workers', consumer, 0, id, 'IDLE', 0, 'JUSTID') end
      from = '(' .. id
    end
  until #taken < tonumber(max_tasks)
end

if until_ms == '' then
  correct_times_of_taken_tasks()
  until_ms = at(0)
  local ahead = redis.call('ZRANGE', later, '+inf', '(' .. at(outbox_delay_ms), 'BYSCORE', 'REV', 'LIMIT', 0, max_tasks, 'WITHSCORES')
  for i = 1, #ahead, 2 do
    -- Outbox entries have no attempts yet.
    local is_outbox_entry = string.match(ahead[i], '^%x+ 0 ')
    if is_outbox_entry or tonumber(ahead[i + 1]) > now + tonumber(max_retry_delay_ms) then
      redis.call('ZADD', later, at(outbox_delay_ms), ahead[i])
    end
  end
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
