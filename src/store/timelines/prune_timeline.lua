--[[ store/timelines/prune_timeline.lua — takes out of a timeline, a home or a list's, what does not belong
     there (any more).
     KEYS[1] ZSET timeline      KEYS[2] ZSET of its sources: following, or the list's members
     KEYS[3] STRING active mark KEYS[4] ZSET excluded, KEYS[5] ZSET hidden_reposts, KEYS[6] ZSET tags,
     KEYS[7] STREAM arrivals and KEYS[8] channel of the reader, all of a home only
     ARGV[1] how many are few   ARGV[2…] header, '' of a dead one, status id, …
     Returns 0 the timeline is complete or large enough | 1 it should be rebuilt: fewer than that are
             left above a floor ]]
local gone = 0
for i = 2, #ARGV, 2 do
  local header, id = ARGV[i], ARGV[i + 1]
  if header == '' or not belongs(KEYS[1], KEYS[2], KEYS[4], KEYS[5], KEYS[6], header_of(header)) then
    gone = gone + redis.call('ZREM', KEYS[1], id)
  end
end
if gone > 0 and KEYS[7] then tell(KEYS[7], KEYS[8]) end
return is_short(KEYS[1], KEYS[3], ARGV[1]) and 1 or 0
