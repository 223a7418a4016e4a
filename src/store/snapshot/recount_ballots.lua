--[[ recount_ballots.lua: stores the counts of a poll as its ballots say.
     KEYS     status (HASH), ballots (ZSET)
     Returns  'counted' | 'no_poll' ]]
-- include: parse_poll, status_exists, count_ballots
local status, ballots = unpack(KEYS)
local kind, _, option_count = parse_poll(redis.call('HGET', status, 'poll'))
if not kind or not status_exists(status) then return 'no_poll' end
redis.call('HSET', status, 'tally', count_ballots(ballots, option_count))
return 'counted'
