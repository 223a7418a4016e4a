--[[ end_session.lua: deletes a session and removes it from the list. A session that is already gone is
     written and deleted again, because replicas may lack the deletion.
     KEYS     session (STRING), sessions (ZSET), channel (of the user)
     ARGV     digest
     Returns  'deleted' ]]
-- flags: allow-oom
-- include: publish_change
local session, sessions, channel = unpack(KEYS)
local digest = ARGV[1]
redis.call('ZREM', sessions, digest)
if redis.call('DEL', session) == 0 then
  redis.call('SET', session, '')
  redis.call('DEL', session)
end
publish_change(channel)
return 'deleted'
