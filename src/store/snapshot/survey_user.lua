--[[ store/snapshot/survey_user.lua — reads what a person's slot says of them, at one moment.
     KEYS[1] HASH user   KEYS[2] HASH auth   KEYS[3] ZSET following   KEYS[4] ZSET followers
     KEYS[5] ZSET profile   KEYS[6] STRING active mark   KEYS[7] HASH reading
     KEYS[8] HASH read_marker
     Returns {fields of user, fields of auth, {ZCARD of following, followers, profile},
              mark, fields of reading, fields of read_marker}: what is not there is nil ]]
return {
  redis.call('HMGET', KEYS[1], 'id', 'login', 'name', 'signup', 'posts', 'followers', 'following',
    'last', 'gone'),
  redis.call('HMGET', KEYS[2], 'hash', 'epoch'),
  {redis.call('ZCARD', KEYS[3]), redis.call('ZCARD', KEYS[4]), redis.call('ZCARD', KEYS[5])},
  redis.call('GET', KEYS[6]),
  redis.call('HMGET', KEYS[7], 'before', 'shown', 'at'),
  redis.call('HMGET', KEYS[8], 'read', 'before', 'at'),
}
