--[[ take_over_rename.lua: cancels the change of a login that is under way, if any, and excludes others until
     cancel_rename.lua or the deadline. So the login of an unfinished change can be freed.
     KEYS     user (HASH)
     ARGV     deadline_ms, login (of the unfinished change)
     Returns  'taken_over' (by this call or an earlier try, or there is no such user, who then begins no change)
              | 'other' (another reconciliation is under way) ]]
-- flags: allow-oom
-- include: late
local user = KEYS[1]
local deadline_ms, login = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local known, renaming = unpack(redis.call('HMGET', user, 'login', 'renaming'))
if not known then return 'taken_over' end
local change = 'reconciliation-' .. deadline_ms .. ' ' .. login
local until_ms = renaming ~= change and string.match(renaming or '', '^reconciliation%-(%d+) ')
if until_ms and not late(until_ms) then return 'other' end
redis.call('HSET', user, 'renaming', change)
return 'taken_over'
