--[[ note_day.lua: adds to the numbers of a day, and removes the days that are too old. A note that is sent again adds
     nothing.
     KEYS     site_days (HASH)
     ARGV     process (its random name), number (of its note, rising), day (since 1970), first_day (the oldest that
              stays), posts, deliveries (to be added), people, active, queue, memory, disk (of which the largest
              counts)
     Returns  'noted' ]]
local site_days = KEYS[1]
local process, number, day, first_day, posts, deliveries, people, active, queue, memory, disk = unpack(ARGV)
local last = day .. ':last_note:' .. process
if tonumber(redis.call('HGET', site_days, last) or 0) < tonumber(number) then
  redis.call('HINCRBY', site_days, day .. ':posts', posts)
  redis.call('HINCRBY', site_days, day .. ':deliveries', deliveries)
  redis.call('HSET', site_days, last, number)
end
local function raise(name, value)
  local before = redis.call('HGET', site_days, day .. ':' .. name)
  if not before or tonumber(before) < tonumber(value) then redis.call('HSET', site_days, day .. ':' .. name, value) end
end
raise('people', people)
raise('active', active)
raise('queue', queue)
raise('memory', memory)
raise('disk', disk)
for _, field in ipairs(redis.call('HKEYS', site_days)) do
  if tonumber(string.match(field, '^%d+')) < tonumber(first_day) then redis.call('HDEL', site_days, field) end
end
return 'noted'
