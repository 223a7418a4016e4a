--[[ recount_excluded.lua: counts again how many exclusive lists of an owner contain each of some members. If
     a count was wrong, drops the owner's home, which the next visit rebuilds.
     KEYS     lists (HASH), excluded (ZSET), home (ZSET), active_mark (STRING, of the home),
              then members (ZSET) of each exclusive list, …
     ARGV     owner_id, list_numbers (of those lists, separated by spaces), then member, …
     Returns  'counted' | 'outdated' (these are not the exclusive lists any more) ]]
-- include: is_exclusive, drop_home, scores_of
local lists, excluded, home, active_mark = unpack(KEYS, 1, 4)
local owner_id, list_numbers = unpack(ARGV, 1, 2)
local exclusive = 0
for _, list in ipairs(redis.call('HVALS', lists)) do
  if is_exclusive(list) then exclusive = exclusive + 1 end
end
if exclusive ~= #KEYS - 4 then return 'outdated' end
for number in string.gmatch(list_numbers, '%d+') do
  if not is_exclusive(redis.call('HGET', lists, number) or '') then return 'outdated' end
end
local list_counts = {}
for i = 5, #KEYS do
  for at, score in ipairs(scores_of(KEYS[i], {unpack(ARGV, 3)})) do
    if score then list_counts[at] = (list_counts[at] or 0) + 1 end
  end
end
local changed = 0
for at = 1, #ARGV - 2 do
  local member, list_count = ARGV[at + 2], list_counts[at]
  if list_count and member ~= owner_id then
    changed = changed + redis.call('ZADD', excluded, 'CH', list_count, member)
  else
    changed = changed + redis.call('ZREM', excluded, member)
  end
end
if changed > 0 then drop_home(home, active_mark) end
return 'counted'
