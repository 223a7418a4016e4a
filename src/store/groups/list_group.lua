--[[ list_group.lua: puts a group into the directory at the time of its last activity, or moves it there. No two groups have
     the same place, and no group moves back.
     KEYS     groups_listed (ZSET)
     ARGV     deadline_ms, group, active_us, mode ('put' | 'move': a group that is not there stays out)
     Returns  'done' ]]
-- include: late, add_at_free_score
local groups_listed = KEYS[1]
local deadline_ms, group, active_us, mode = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local score = redis.call('ZSCORE', groups_listed, group)
if not score and mode == 'move' then return 'done' end
if not score or tonumber(score) < tonumber(active_us) then add_at_free_score(groups_listed, active_us, group) end
return 'done'
