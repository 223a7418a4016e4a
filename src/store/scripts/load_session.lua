--[[ store/scripts/load_session.lua — reads a session with its person's epoch in one step. A script
     and not MULTI: a Redis whose memory is full takes no command into a transaction, not even a
     read, and everybody would seem to be logged out.
     KEYS[1] STRING session     KEYS[2] HASH auth
     Returns {state or nil, epoch or nil} ]]
return {redis.call('GET', KEYS[1]), redis.call('HGET', KEYS[2], 'epoch')}
