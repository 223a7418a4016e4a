--[[ load_session.lua: reads a session, the epoch of its user, their unread notifications and conversations, and the
     number of requests to follow them, in one step.
     It is a script and not MULTI: a Redis with full memory refuses every command inside a transaction,
     even a read, and all users would seem to be logged out.
     KEYS     session (STRING), auth (HASH), notifications (ZSET), read_marker (HASH),
              requests (ZSET), unread_chats (HASH)
     Returns  {state or nil, epoch or nil, remaining lifetime of the session (ms), unread count,
              restriction of the account or nil, login of the user if it has changed or nil,
              number of requests to follow, number of conversations with unread messages,
              time zone of the user or nil} ]]
-- include: unread_count
local session, auth, notifications, read_marker, requests, unread_chats = unpack(KEYS)
local state = redis.call('GET', session)
local epoch, restriction, login, zone = unpack(redis.call('HMGET', auth, 'epoch', 'restriction', 'login', 'zone'))
return {
  state, epoch, redis.call('PTTL', session), unread_count(notifications, read_marker), restriction, login,
  redis.call('ZCARD', requests), redis.call('HLEN', unread_chats), zone
}
