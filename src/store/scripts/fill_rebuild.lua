--[[ store/scripts/fill_rebuild.lua — adds merged statuses to a home being built: those of its owner
     and those whose author the owner still follows.
     KEYS[1] ZSET home          KEYS[2] STRING active mark      KEYS[3] ZSET following
     ARGV[1] token   ARGV[2] owner id   ARGV[3] how many a home holds
     ARGV[4…] author id, status id, …
     Returns 1 added | 0 the token is over ]]
local mark = redis.call('GET', KEYS[2])
local floor, token = floor_of(mark or '0')
if token ~= ARGV[1] then return 0 end
for i = 4, #ARGV, 2 do
  local author, id = ARGV[i], ARGV[i + 1]
  local belongs = author == ARGV[2] or redis.call('ZSCORE', KEYS[3], author)
  if belongs and tonumber(id) > floor then redis.call('ZADD', KEYS[1], '-' .. id, id) end
end
trim(KEYS[1], KEYS[2], ARGV[3])
return 1
