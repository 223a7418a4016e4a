--[[ mirror_source.lua: writes the mirror of a relation whose member is a source of a timeline: a user or a
     tag. Reads the newest statuses of the source in the same step, so that no status is missed. A user with
     a count is notified of a new relation, unless they mute the other user or one of them blocks the other. A
     deleted user gets no mirror.
     KEYS     mirror (ZSET), statuses (ZSET), user (HASH; from here on only for a user),
              received_replies (ZSET), notifications (ZSET; from here on only with a count),
              read_marker (HASH), arrivals (STREAM), channel (of the user),
              muted (ZSET), blocked (ZSET), blocked_by (ZSET), following (ZSET)
     ARGV     deadline_ms, member, max_statuses, count_field (of the user, or ''), notification (or ''),
              max_notifications, age_ms (of the relation: 0 unless it is dated back)
     Returns  {size of the mirror, number of statuses, ids of the newest ones, ids of the newest replies,
              the next older reply if there is one}, newest first; for a tag without replies
              | {-1} (the account was deleted) ]]
-- include: late, next_score, add_notification, notify_watchers, is_muted_or_blocked
local mirror, statuses, user, received_replies, notifications, read_marker, arrivals, channel, muted, blocked, blocked_by, following = unpack(KEYS)
local deadline_ms, member, max_statuses, count_field, notification, max_notifications, age_ms = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if user and redis.call('HEXISTS', user, 'gone') == 1 then return {-1} end
local is_new = not redis.call('ZSCORE', mirror, member)
local score = is_new and next_score(mirror, age_ms)
if is_new then redis.call('ZADD', mirror, score, member) end
local size = redis.call('ZCARD', mirror)
if count_field ~= '' and redis.call('HEXISTS', user, 'login') == 1 then
  redis.call('HSET', user, count_field, size)
  if is_new and not is_muted_or_blocked(muted, blocked, blocked_by, member) then
    add_notification(notifications, read_marker, following, max_notifications, notification, score)
  end
  notify_watchers(arrivals, channel)
end
local reply = {size, redis.call('ZCARD', statuses), redis.call('ZRANGE', statuses, 0, max_statuses - 1)}
if received_replies then
  reply[4] = redis.call('ZRANGE', received_replies, 0, max_statuses - 1)
  reply[5] = redis.call('ZRANGE', received_replies, max_statuses, max_statuses)[1]
    or redis.call('HGET', user, 'dropped_reply') or nil
end
return reply
