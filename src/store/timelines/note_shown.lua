--[[ note_shown.lua: stores that a page of a home has shown all ids in a range. The page took more than
     one read, so a status that arrived between two reads was not examined and keeps its state. Where
     Redis takes no writes, nothing is stored.
     KEYS     home (ZSET), reading (HASH)
     ARGV     deadline_ms, lowest_id, highest_id, then examined_id, …
     Returns  'stored' | 'unchanged' (already stored, or the home was never read) ]]
-- include: late, parse_ranges, find_range, add_range, remove_id, format_seen
local home, reading = unpack(KEYS)
local deadline_ms, lowest_id, highest_id = unpack(ARGV, 1, 3)
if late(deadline_ms) then return redis.error_reply(LATE) end
local before_text, shown_text = unpack(redis.call('HMGET', reading, 'before', 'shown'))
if not before_text or not shown_text then return 'unchanged' end
local low, high = tonumber(lowest_id), tonumber(highest_id)
local known = parse_ranges(shown_text)
if find_range(known, low, high) then return 'unchanged' end
local examined = {}
for i = 4, #ARGV do examined[ARGV[i]] = true end
local shown = add_range(known, low, high)
for _, id in ipairs(redis.call('ZRANGE', home, '-' .. highest_id, '-' .. lowest_id, 'BYSCORE')) do
  if not examined[id] and not find_range(known, tonumber(id), tonumber(id)) then remove_id(shown, tonumber(id)) end
end
local new_before_text, new_shown_text = format_seen(parse_ranges(before_text), shown)
redis.pcall('HSET', reading, 'before', new_before_text, 'shown', new_shown_text)
return 'stored'
