--[[ change_account.lua: suspends, restores, deactivates or reactivates an account, answers a request to join, or
     begins the deletion. A new epoch ends every session. The restriction of an account lies in `auth` too, where
     sessions read it.
     KEYS     user (HASH), auth (HASH), channel (of the user)
     ARGV     deadline_ms, change ('suspend' | 'restore' | 'deactivate' | 'reactivate' | 'approve' | 'refuse' | 'delete'
              | 'copy', which only copies the restriction),
              value (the reason; the time of the deletion, ms; the admission; the time of the deletion, ms, a blank
              and the refused request; or who deletes: 'host', 'person', or 'schedule' with the time that is due, ms),
              new_epoch ('' keeps the sessions), session_epoch (or '')
     Returns  'changed' (by this call or an earlier one) | 'refused' (the account is in another state)
              | 'unknown_user' | 'session_ended' ]]
-- flags: allow-oom
-- include: late, session_ended, rewrite_field, publish_change, copy_restriction
local user, auth, channel = unpack(KEYS)
local deadline_ms, change, value, new_epoch, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local login, suspended, leaving, application, admission =
  unpack(redis.call('HMGET', user, 'login', 'suspended', 'leaving', 'application', 'admission'))
if not login then return 'unknown_user' end
local is_deleting = leaving == 'deleting'
if change == 'delete' and is_deleting or new_epoch ~= '' and redis.call('HGET', auth, 'epoch') == new_epoch then
  rewrite_field(user, 'login')
  return 'changed'
end
if session_ended(auth, session_epoch) then return 'session_ended' end
if is_deleting then return 'refused' end
if change == 'delete' then
  local now_ms = string.match(value, '^schedule (%d+)$')
  local is_due = now_ms and leaving and tonumber(now_ms) >= tonumber(leaving)
  local is_allowed = value == 'host' or value == 'person' and (suspended or leaving) or is_due
  if not is_allowed then return 'refused' end
  redis.call('HSET', user, 'leaving', 'deleting')
  redis.call('DEL', auth)
  publish_change(channel)
  return 'changed'
end
local is_waiting = application and string.sub(application, 1, 8) == 'waiting '
if change == 'approve' then
  if not is_waiting and (application or admission ~= value) then return 'refused' end
  if is_waiting then
    redis.call('HDEL', user, 'application', 'leaving')
    redis.call('HSET', user, 'newcomer_since', redis.call('TIME')[1] .. '000')
  end
  redis.call('HSET', user, 'admission', value)
elseif change == 'refuse' then
  local deletion, refusal = string.match(value, '^(%d+) (.*)$')
  if not is_waiting and application ~= refusal then return 'refused' end
  redis.call('HSET', user, 'application', refusal, 'leaving', deletion)
elseif application and change ~= 'copy' then
  return 'refused'
elseif change == 'suspend' then
  redis.call('HSET', user, 'suspended', value)
elseif change == 'restore' then
  redis.call('HDEL', user, 'suspended')
elseif change == 'deactivate' then
  redis.call('HSET', user, 'leaving', value)
elseif change == 'reactivate' then
  redis.call('HDEL', user, 'leaving')
end
copy_restriction(user, auth)
if new_epoch ~= '' then redis.call('HSET', auth, 'epoch', new_epoch) end
rewrite_field(user, 'login')
publish_change(channel)
return 'changed'
