--[[ store/timelines/note_shown.lua — remembers that a page of a home, which took more than one look, has
     shown all from one id to another: but for what has come in between since, as nobody looked at that,
     and stays what it was. Where Redis takes no writes, not at all.
     KEYS[1] ZSET home          KEYS[2] HASH reading
     ARGV[1] deadline (ms)      ARGV[2] the lowest id    ARGV[3] the highest
     ARGV[4…] ids that were looked at
     Returns 1 remembered | 0 it was known, or home was never read ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
local held = redis.call('HMGET', KEYS[2], 'before', 'shown')
if not held[1] or not held[2] then return 0 end
local low, high = tonumber(ARGV[2]), tonumber(ARGV[3])
local known = ranges_of(held[2])
if range_with(known, low, high) then return 0 end
local examined = {}
for i = 4, #ARGV do examined[ARGV[i]] = true end
local shown = cover(known, low, high)
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], '-' .. ARGV[3], '-' .. ARGV[2], 'BYSCORE')) do
  if not examined[id] and not range_with(known, tonumber(id), tonumber(id)) then uncover(shown, tonumber(id)) end
end
local seen_before, seen = texts_of(ranges_of(held[1]), shown)
redis.pcall('HSET', KEYS[2], 'before', seen_before, 'shown', seen)
return 1
