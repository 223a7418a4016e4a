--[[ finish_deletion.lua: removes the keys of a user who is being deleted. Only a mark is left, so that the
     id is never used again.
     KEYS     user (HASH), then others (keys that go; the first ones connect the user with others and must be empty)
     ARGV     deadline_ms, now_ms, connection_count
     Returns  'finished' (by this call or an earlier one) | 'connected' (a connection is left)
              | 'refused' (the account is not being deleted) ]]
-- flags: allow-oom
-- include: late, rewrite_field
local user = KEYS[1]
local deadline_ms, now_ms, connection_count = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local login, leaving = unpack(redis.call('HMGET', user, 'login', 'leaving'))
if not login then
  rewrite_field(user, 'gone')
  return 'finished'
end
if leaving ~= 'deleting' then return 'refused' end
for index = 2, 1 + tonumber(connection_count) do
  if redis.call('EXISTS', KEYS[index]) == 1 then return 'connected' end
end
for index = 1, #KEYS do redis.call('UNLINK', KEYS[index]) end
redis.call('HSET', user, 'gone', now_ms)
return 'finished'
