--[[ snapshot_user.lua: reads a consistent snapshot of the keys of a user.
     KEYS     user (HASH), auth (HASH), following (ZSET), followers (ZSET), profile (ZSET),
              requests (ZSET), active_mark (STRING), reading (HASH), read_marker (HASH)
     Returns  {fields of user, fields of auth, {ZCARD of following, followers, profile, requests},
              mark, fields of reading, fields of read_marker}; missing values are nil ]]
local user, auth, following, followers, profile, requests, active_mark, reading, read_marker = unpack(KEYS)
return {
  redis.call('HMGET', user, 'id', 'login', 'name', 'signup', 'posts', 'followers', 'following', 'last', 'gone',
    'requests', 'suspended', 'leaving', 'former_logins', 'renaming', 'renamed', 'frozen', 'role',
    'application', 'pinned', 'limited'),
  redis.call('HMGET', auth, 'hash', 'epoch', 'restriction', 'login'),
  {redis.call('ZCARD', following), redis.call('ZCARD', followers), redis.call('ZCARD', profile),
    redis.call('ZCARD', requests)},
  redis.call('GET', active_mark),
  redis.call('HMGET', reading, 'before', 'shown', 'at'),
  redis.call('HMGET', read_marker, 'read', 'before', 'at'),
}
