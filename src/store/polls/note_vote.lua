--[[ note_vote.lua: notes in which poll a user votes, before the vote is stored. So each vote is found from its voter. A
     deleted user has no notes.
     KEYS     user (HASH), votes (ZSET)
     ARGV     status_id, author_id
     Returns  number of the user's notes, 0 without a user ]]
local user, votes = unpack(KEYS)
local status_id, author_id = unpack(ARGV)
if redis.call('HEXISTS', user, 'login') == 0 then return 0 end
redis.call('ZADD', votes, author_id, status_id)
return redis.call('ZCARD', votes)
