--[[ set_score.lua: sets the score of one member of a mirror. It works with full memory, because deletions move
     members, and each member takes little.
     KEYS     mirror (ZSET)
     ARGV     score, member
     Returns  'set' ]]
-- flags: allow-oom
local mirror = KEYS[1]
local score, member = unpack(ARGV)
redis.call('ZADD', mirror, score, member)
return 'set'
