--[[ remove_ballot.lua: removes the vote of a user from a poll and counts the poll again, in one step. So a crash leaves
     no vote that is counted and not stored.
     KEYS     status (HASH), ballots (ZSET)
     ARGV     voter_id
     Returns  'removed' | 'none' (the user has not voted) ]]
-- flags: allow-oom
-- include: parse_poll, status_exists, count_ballots
local status, ballots = unpack(KEYS)
local voter_id = ARGV[1]
if redis.call('ZREM', ballots, voter_id) == 0 then return 'none' end
local kind, _, option_count = parse_poll(redis.call('HGET', status, 'poll'))
if kind and status_exists(status) then redis.call('HSET', status, 'tally', count_ballots(ballots, option_count)) end
return 'removed'
