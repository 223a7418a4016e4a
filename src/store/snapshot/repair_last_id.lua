--[[ repair_last_id.lua: sets the last drawn id of a user to their newest existing status, if it is smaller
     than that or larger than any possible id.
     KEYS     user (HASH)
     ARGV     newest_id (of the existing statuses, or 0), largest_id (that can have been drawn by now)
     Returns  'repaired' | 'unchanged' (it was right, or there is no such user) ]]
local user = KEYS[1]
local newest_id, largest_id = unpack(ARGV)
if redis.call('HEXISTS', user, 'login') == 0 then return 'unchanged' end
local text = redis.call('HGET', user, 'last')
local last = tonumber(text and string.match(text, '^%d+$') or '')
if last and last >= tonumber(newest_id) and last <= tonumber(largest_id) then return 'unchanged' end
redis.call('HSET', user, 'last', newest_id)
return 'repaired'
