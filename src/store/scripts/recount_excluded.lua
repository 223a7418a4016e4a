--[[ store/scripts/recount_excluded.lua — counts anew in how many exclusive lists of a person each of
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
redis.call('DEL', KEYS[2])
for i = 5, #KEYS do
  for _, member in ipairs(redis.call('ZRANGE', KEYS[i], 0, -1)) do
    keep_out(KEYS[2], ARGV[1], member, 1)
  end
end
drop_home(KEYS[3], KEYS[4])
return 1
