--[[ store/timelines/merge_timeline.lua — merges statuses into a timeline, a home or a list's: those that
     belong there. Ids below the floor stay out: pages below it come from profiles.
     KEYS[1] ZSET timeline      KEYS[2] ZSET of its sources: following, or the list's members
     KEYS[3] STRING active mark KEYS[4] ZSET excluded, KEYS[5] ZSET hidden_reposts and KEYS[6] ZSET tags, of a
     home only
     ARGV[1] deadline (ms)      ARGV[2] how many a timeline holds
     ARGV[3] source that they come from, a person or a tag
     ARGV[4] floor to raise to while that is one, or 0: older ones of it were not read
     ARGV[5…] header, status id, …
     Returns 1 merged | 0 dormant reader ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
local mark = redis.call('GET', KEYS[3])
if not mark then
  redis.call('UNLINK', KEYS[1])
  return 0
end
local is_source = redis.call('ZSCORE', KEYS[2], ARGV[3]) and not (KEYS[4] and redis.call('ZSCORE', KEYS[4], ARGV[3]))
  or KEYS[6] and redis.call('ZSCORE', KEYS[6], ARGV[3])
if is_source then raise_floor(KEYS[3], tonumber(ARGV[4])) end
local floor = floor_of(redis.call('GET', KEYS[3]))
for i = 5, #ARGV, 2 do
  local header, id = ARGV[i], ARGV[i + 1]
  if tonumber(id) >= floor and belongs(KEYS[1], KEYS[2], KEYS[4], KEYS[5], KEYS[6], header_of(header)) then
    redis.call('ZADD', KEYS[1], '-' .. id, id)
  end
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. string.format('%.0f', -floor), '+inf')
trim(KEYS[1], KEYS[3], tonumber(ARGV[2]))
return 1
