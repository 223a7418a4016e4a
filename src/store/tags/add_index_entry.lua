--[[ add_index_entry.lua: adds a status to the index of a tag, or to the mention index of a user. For a tag it
     also stores who used the tag in the last day: each user once, with the newest status, at most 10,000 users.
     KEYS     statuses (ZSET), tag_uses (ZSET; only for a tag)
     ARGV     deadline_ms, status_id, author_id, epoch_ms (of ids)
     Returns  the number of users who used the tag in the last day; 0 for a mention ]]
-- include: late, first_id_of_last_day
local statuses, tag_uses = unpack(KEYS)
local deadline_ms, status_id, author_id, epoch_ms = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
redis.call('ZADD', statuses, '-' .. status_id, status_id)
if not tag_uses then return 0 end
redis.call('ZADD', tag_uses, 'GT', status_id, author_id)
redis.call('ZREMRANGEBYSCORE', tag_uses, '-inf', '(' .. first_id_of_last_day(epoch_ms))
redis.call('ZREMRANGEBYRANK', tag_uses, 0, -10001)
redis.call('EXPIRE', tag_uses, DAY_S)
return redis.call('ZCARD', tag_uses)
