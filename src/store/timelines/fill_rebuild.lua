--[[ store/timelines/fill_rebuild.lua — adds merged statuses to a timeline being built: those that
     still belong there.
     KEYS[1] ZSET timeline      KEYS[2] ZSET of its sources: following, or the list's members
     KEYS[3] STRING active mark KEYS[4] ZSET excluded, KEYS[5] ZSET hidden_reposts and KEYS[6] ZSET tags, of a
     home only
     ARGV[1] token   ARGV[2] how many a timeline holds   ARGV[3…] header, status id, …
     Returns 1 added | 0 the token is over ]]
local mark = redis.call('GET', KEYS[3])
local floor, token = floor_of(mark or '0')
if token ~= ARGV[1] then return 0 end
for i = 3, #ARGV, 2 do
  local header, id = ARGV[i], ARGV[i + 1]
  if tonumber(id) > floor and belongs(KEYS[1], KEYS[2], KEYS[4], KEYS[5], KEYS[6], header_of(header)) then
    redis.call('ZADD', KEYS[1], '-' .. id, id)
  end
end
trim(KEYS[1], KEYS[3], tonumber(ARGV[2]))
return 1
