--[[ store/sessions/end_session.lua — ends a session and unlists it. One that has ended already is
     written and ended once more, as replicas may not have its end yet; not where memory is full.
     KEYS[1] STRING session     KEYS[2] ZSET sessions      KEYS[3] channel of its person
     ARGV[1] digest
     Returns 1 ]]
redis.call('ZREM', KEYS[2], ARGV[1])
if redis.call('DEL', KEYS[1]) == 0 then
  redis.pcall('SET', KEYS[1], '')
  redis.call('DEL', KEYS[1])
end
announce(KEYS[3])
return 1
