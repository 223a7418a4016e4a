--[[ read_scores.lua: reads the scores of many members of a sorted set.
     KEYS     set (ZSET)
     ARGV     member, …
     Returns  {score or nothing, …} ]]
-- include: scores_of
return scores_of(KEYS[1], ARGV)
