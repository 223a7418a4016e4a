--[[ store/polls/cast_ballot.lua — one person votes in a poll, once: the truth of it, and in the same
     step what all ballots come to. The first vote stands.
     KEYS[1] HASH status        KEYS[2] ZSET ballots
     ARGV[1] deadline (ms)      ARGV[2] who votes (user id)
     ARGV[3] what they choose: the sum of 1, 2, 4 and 8, one for each option
     Returns 1 voted, now or just so before | 2 voted otherwise before | -1 the poll has ended
             -2 there is no such poll | -3 it is their own | -4 one cannot choose so ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
local held = redis.call('HMGET', KEYS[1], 'uid', 'deleted', 'posted', 'poll')
local choice, hours, options = poll_of(held[4])
if held[2] or not choice then return -2 end
if held[1] == ARGV[2] then return -3 end
local before = redis.call('ZSCORE', KEYS[2], ARGV[2])
if before then
  confirm(KEYS[1], 'poll')
  return before == ARGV[3] and 1 or 2
end
local now = redis.call('TIME')
if now[1] * 1000 + math.floor(now[2] / 1000) >= tonumber(held[3]) + hours * 3600000 then return -1 end
local chosen = tonumber(ARGV[3])
local is_one = chosen == 1 or chosen == 2 or chosen == 4 or chosen == 8
if chosen < 1 or chosen >= 2 ^ options or choice == 'one' and not is_one then return -4 end
redis.call('ZADD', KEYS[2], chosen, ARGV[2])
redis.call('HSET', KEYS[1], 'tally', tally_of(KEYS[2], options))
return 1
