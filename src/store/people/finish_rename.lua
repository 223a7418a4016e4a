--[[ finish_rename.lua: gives a user the new login, after it was claimed. The former one stays with the user, and search
     finds it until the index has changed.
     KEYS     user (HASH), auth (HASH), channel (of the user)
     ARGV     deadline_ms, login (the new one), token (of this change), redirect_ms (for which the former login leads
              to the user), session_epoch (or '')
     Returns  'renamed' (by this call or an earlier try) | 'refused' (the change was cancelled, or the account is being
              deleted) | 'session_ended' ]]
-- include: late, session_ended, rewrite_field, keep_former, publish_change
local user, auth, channel = unpack(KEYS)
local deadline_ms, login, token, redirect_ms, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
local old, leaving, renaming, former =
  unpack(redis.call('HMGET', user, 'login', 'leaving', 'renaming', 'former_logins'))
if renaming ~= token .. ' ' .. login then
  if old ~= login then return 'refused' end
  rewrite_field(user, 'login')
  return 'renamed'
end
if not old or leaving == 'deleting' then return 'refused' end
local now = redis.call('TIME')
local now_ms = tonumber(now[1]) * 1000 + math.floor(tonumber(now[2]) / 1000)
local lines = {}
for line in string.gmatch(former or '', '[^\n]+') do
  local own = string.lower(string.match(line, '^%S+'))
  if own ~= string.lower(login) and own ~= string.lower(old) then table.insert(lines, line) end
end
if string.lower(old) ~= string.lower(login) then
  table.insert(lines, string.format('%s %.0f', old, now_ms + tonumber(redirect_ms)))
end
keep_former(user, old)
redis.call('HSET', user, 'login', login, 'renamed', string.format('%.0f', now_ms))
redis.call('HSET', auth, 'login', login)
redis.call('HDEL', user, 'renaming')
if #lines > 0 then
  redis.call('HSET', user, 'former_logins', table.concat(lines, '\n'))
else
  redis.call('HDEL', user, 'former_logins')
end
publish_change(channel)
return 'renamed'
