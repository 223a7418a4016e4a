--[[ end_session.lua: deletes a session and removes it from the list. A session that is already gone is
     written and deleted again, because replicas may lack the deletion. A device that has just logged in by a link
     cannot repeat that.
     KEYS     session (STRING), sessions (ZSET), channel (of the user), device_log_in (HASH)
     ARGV     digest
     Returns  'deleted' ]]
-- flags: allow-oom
-- include: publish_change
local session, sessions, channel, device_log_in = unpack(KEYS)
local digest = ARGV[1]
redis.call('ZREM', sessions, digest)
if redis.call('DEL', session) == 0 then
  redis.call('SET', session, '')
  redis.call('DEL', session)
end
if redis.call('HEXISTS', device_log_in, 'entered') == 1 then redis.call('DEL', device_log_in) end
publish_change(channel)
return 'deleted'
