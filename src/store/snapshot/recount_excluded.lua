--[[ store/snapshot/recount_excluded.lua — counts anew in how many exclusive lists of a person each of
     their members stands, and has their home built anew.
     KEYS[1] HASH lists   KEYS[2] ZSET excluded   KEYS[3] ZSET home
     KEYS[4] STRING active mark of the home       KEYS 5… ZSET members of each exclusive list
     ARGV[1] owner id     ARGV[2…] the numbers of those lists
     Returns 1 counted | 0 those are not (any more) the exclusive lists ]]
local exclusive = 0
for _, held in ipairs(redis.call('HVALS', KEYS[1])) do
  if is_exclusive(held) then exclusive = exclusive + 1 end
end
if exclusive ~= #ARGV - 1 then return 0 end
for i = 2, #ARGV do
  if not is_exclusive(redis.call('HGET', KEYS[1], ARGV[i]) or '') then return 0 end
end
local lists_of = {}
for i = 5, #KEYS do
  for _, member in ipairs(redis.call('ZRANGE', KEYS[i], 0, -1)) do
    if member ~= ARGV[1] then lists_of[member] = (lists_of[member] or 0) + 1 end
  end
end
redis.call('DEL', KEYS[2])
local pairs_to_add = {}
for member, number in pairs(lists_of) do
  pairs_to_add[#pairs_to_add + 1] = number
  pairs_to_add[#pairs_to_add + 1] = member
  if #pairs_to_add == 2000 then
    redis.call('ZADD', KEYS[2], unpack(pairs_to_add))
    pairs_to_add = {}
  end
end
if #pairs_to_add > 0 then redis.call('ZADD', KEYS[2], unpack(pairs_to_add)) end
drop_home(KEYS[3], KEYS[4])
return 1
