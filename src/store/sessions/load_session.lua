--[[ store/sessions/load_session.lua — reads a session with its person's epoch in one step, and how much
     they were told and have not read, which every page says. A script and not MULTI: a Redis whose
     memory is full takes no command into a transaction, not even a read, and everybody would seem to
     be logged out.
     KEYS[1] STRING session     KEYS[2] HASH auth
     KEYS[3] ZSET notifications   KEYS[4] HASH read_marker
     Returns {state or nil, epoch or nil, how long Redis keeps the session (ms), how many notifications are
     unread} ]]
local state = redis.call('GET', KEYS[1])
local epoch = redis.call('HGET', KEYS[2], 'epoch')
return {state, epoch, redis.call('PTTL', KEYS[1]), unread(KEYS[3], KEYS[4])}
