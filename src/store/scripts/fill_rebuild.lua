--[[ store/scripts/fill_rebuild.lua — adds merged statuses to a timeline being built: those that
     still belong there, and on a home its owner's.
     KEYS[1] ZSET timeline      KEYS[2] ZSET of its sources: following, or the list's members
     KEYS[3] STRING active mark KEYS[4] ZSET excluded, of a home only
     ARGV[1] token   ARGV[2] owner id of a home, or ''   ARGV[3] how many a timeline holds
     ARGV[4…] author id, status id, …
     Returns 1 added | 0 the token is over ]]
local mark = redis.call('GET', KEYS[3])
local floor, token = floor_of(mark or '0')
if token ~= ARGV[1] then return 0 end
for i = 4, #ARGV, 2 do
  local author, id = ARGV[i], ARGV[i + 1]
  local own = author == ARGV[2]
  if (own or belongs(KEYS[2], KEYS[4], author)) and tonumber(id) > floor then redis.call('ZADD', KEYS[1], '-' .. id, id) end
end
trim(KEYS[1], KEYS[3], ARGV[3])
return 1
