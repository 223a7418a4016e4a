--[[ cast_ballot.lua: stores the vote of one user in a poll, the source of truth, and counts all ballots in
     the same step. The first vote of a user is final.
     KEYS     status (HASH), ballots (ZSET)
     ARGV     deadline_ms, voter_id, choice (sum of 1, 2, 4 and 8, one for each option)
     Returns  'voted' (by this call or an earlier try) | 'voted_before' (differently) | 'poll_ended'
              | 'not_found' | 'no_poll' | 'own_poll' | 'invalid_choice' ]]
-- include: late, parse_poll, rewrite_field, count_ballots
local status, ballots = unpack(KEYS)
local deadline_ms, voter_id, choice = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local uid, deleted, posted, poll = unpack(redis.call('HMGET', status, 'uid', 'deleted', 'posted', 'poll'))
local kind, hours, option_count = parse_poll(poll)
if deleted or not uid then return 'not_found' end
if not kind then return 'no_poll' end
if uid == voter_id then return 'own_poll' end
local before = redis.call('ZSCORE', ballots, voter_id)
if before then
  rewrite_field(status, 'poll')
  return before == choice and 'voted' or 'voted_before'
end
local now = redis.call('TIME')
if now[1] * 1000 + math.floor(now[2] / 1000) >= tonumber(posted) + hours * 3600000 then return 'poll_ended' end
local chosen = tonumber(choice)
local is_single = chosen == 1 or chosen == 2 or chosen == 4 or chosen == 8
if chosen < 1 or chosen >= 2 ^ option_count or kind == 'one' and not is_single then return 'invalid_choice' end
redis.call('ZADD', ballots, chosen, voter_id)
redis.call('HSET', status, 'tally', count_ballots(ballots, option_count))
return 'voted'
