--[[ store/polls/survey_poll.lua — what a poll says that its ballots come to, and what they do.
     KEYS[1] HASH status        KEYS[2] ZSET ballots
     Returns {how many options there are, what it says or '', what they come to} | {} there is no such
             poll ]]
local poll, tally = unpack(redis.call('HMGET', KEYS[1], 'poll', 'tally'))
local choice, _, options = poll_of(poll)
if not choice or not lives(KEYS[1]) then return {} end
return {tostring(options), tally or '', tally_of(KEYS[2], options)}
