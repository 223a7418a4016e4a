--[[ read_members.lua: reads a small ZSET of ids completely, and of a larger one which of some ids it holds. A small
     one answers every later question of the same person about it.
     KEYS     set (ZSET)
     ARGV     max_ids (up to this size it is read completely), then id, …
     Returns  {'all' | 'asked', ids that it holds, separated by spaces} ]]
-- include: scores_of
local set = KEYS[1]
local max_ids = ARGV[1]
local ids = {unpack(ARGV, 2)}
if redis.call('ZCARD', set) <= tonumber(max_ids) then
  return {'all', table.concat(redis.call('ZRANGE', set, 0, -1), ' ')}
end
local held = {}
if #ids > 0 then
  for i, score in ipairs(scores_of(set, ids)) do
    if score then held[#held + 1] = ids[i] end
  end
end
return {'asked', table.concat(held, ' ')}
