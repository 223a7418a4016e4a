--[[ begin_rename.lua: begins the change of a login. One change of a user is under way at a time.
     KEYS     user (HASH), auth (HASH)
     ARGV     deadline_ms, login (the new one), token (of this change), interval_ms (between two changes),
              max_former (number of former logins), session_epoch (or '')
     Returns  'begun' (by this call or an earlier try) | 'too_soon' | 'too_many' (former logins)
              | 'under_way' (another change) | 'unknown_user' | 'session_ended' ]]
-- include: late, session_ended, rewrite_field
local user, auth = unpack(KEYS)
local deadline_ms, login, token, interval_ms, max_former, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
local old, leaving, renaming, renamed, former =
  unpack(redis.call('HMGET', user, 'login', 'leaving', 'renaming', 'renamed', 'former_logins'))
if not old or leaving == 'deleting' then return 'unknown_user' end
local change = token .. ' ' .. login
if renaming == change then
  rewrite_field(user, 'renaming')
  return 'begun'
end
if renaming then return 'under_way' end
local now = redis.call('TIME')
if renamed and tonumber(now[1]) * 1000 < tonumber(renamed) + tonumber(interval_ms) then return 'too_soon' end
local count = 0
for line in string.gmatch(former or '', '[^\n]+') do
  if string.lower(string.match(line, '^%S+')) ~= string.lower(login) then count = count + 1 end
end
if count >= tonumber(max_former) then return 'too_many' end
redis.call('HSET', user, 'renaming', change)
return 'begun'
