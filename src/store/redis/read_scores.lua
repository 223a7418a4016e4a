--[[ read_scores.lua: reads the scores of many members of a sorted set.
     KEYS     set (ZSET)
     ARGV     then member, …
     Returns  {score or nothing, …} ]]
-- include: scores_of
local set = KEYS[1]
return scores_of(set, ARGV)
