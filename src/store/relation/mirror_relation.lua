--[[ mirror_relation.lua: writes the mirror of a relation to a status, and its count. A deleted status gets
     no mirror.
     KEYS     mirror (ZSET), status (HASH)
     ARGV     deadline_ms, member, count_field (of the status),
              score ('' for the time at which the mirror is first written)
     Returns  'done' | 'deleted' (there is no such status) ]]
-- include: late, status_exists, next_score
local mirror, status = unpack(KEYS)
local deadline_ms, member, count_field, score = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if not status_exists(status) then return 'deleted' end
if score ~= '' then
  redis.call('ZADD', mirror, score, member)
elseif not redis.call('ZSCORE', mirror, member) then
  redis.call('ZADD', mirror, next_score(mirror), member)
end
redis.call('HSET', status, count_field, redis.call('ZCARD', mirror))
return 'done'
