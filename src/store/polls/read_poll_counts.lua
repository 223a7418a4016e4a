--[[ read_poll_counts.lua: reads the stored counts of a poll and counts its ballots.
     KEYS     status (HASH), ballots (ZSET)
     Returns  {number of options, stored counts or '', counts of the ballots} | {} (no such poll) ]]
-- include: parse_poll, status_exists, count_ballots
local status, ballots = unpack(KEYS)
local poll, tally = unpack(redis.call('HMGET', status, 'poll', 'tally'))
local kind, _, option_count = parse_poll(poll)
if not kind or not status_exists(status) then return {} end
return {tostring(option_count), tally or '', count_ballots(ballots, option_count)}
