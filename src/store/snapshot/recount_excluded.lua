--[[ recount_excluded.lua: counts again how many exclusive lists of an owner contain each member, and drops
     the owner's home, which the next visit rebuilds.
     KEYS     lists (HASH), excluded (ZSET), home (ZSET), active_mark (STRING, of the home),
              then members (ZSET) of each exclusive list, …
     ARGV     owner_id, then the number of each of those lists, …
     Returns  'counted' | 'outdated' (these are not the exclusive lists any more) ]]
-- include: is_exclusive, drop_home
local lists, excluded, home, active_mark = unpack(KEYS, 1, 4)
local owner_id = ARGV[1]
local exclusive = 0
for _, list in ipairs(redis.call('HVALS', lists)) do
  if is_exclusive(list) then exclusive = exclusive + 1 end
end
if exclusive ~= #ARGV - 1 then return 'outdated' end
for i = 2, #ARGV do
  if not is_exclusive(redis.call('HGET', lists, ARGV[i]) or '') then return 'outdated' end
end
local list_counts = {}
for i = 5, #KEYS do
  for _, member in ipairs(redis.call('ZRANGE', KEYS[i], 0, -1)) do
    if member ~= owner_id then list_counts[member] = (list_counts[member] or 0) + 1 end
  end
end
redis.call('DEL', excluded)
local batch = {}
for member, list_count in pairs(list_counts) do
  batch[#batch + 1] = list_count
  batch[#batch + 1] = member
  if #batch == 2000 then
    redis.call('ZADD', excluded, unpack(batch))
    batch = {}
  end
end
if #batch > 0 then redis.call('ZADD', excluded, unpack(batch)) end
drop_home(home, active_mark)
return 'counted'
