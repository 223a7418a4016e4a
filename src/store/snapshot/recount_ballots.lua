--[[ store/snapshot/recount_ballots.lua — sets what a poll comes to from its ballots.
     KEYS[1] HASH status        KEYS[2] ZSET ballots
     Returns 1 counted | 0 there is no such poll ]]
local choice, _, options = poll_of(redis.call('HGET', KEYS[1], 'poll'))
if not choice or not lives(KEYS[1]) then return 0 end
redis.call('HSET', KEYS[1], 'tally', tally_of(KEYS[2], options))
return 1
