--[[ bury_status.lua: replaces a status by a tombstone, the source of truth of a delete. Favourites,
     ballots, earlier versions and the list of its quotes go in the same step. The fields that route its
     copies stay. The text stays until search has forgotten it. A private account narrowed the readers, and the
     tombstone keeps them, because they decide about the replies.
     KEYS     status (HASH), favourited_by (ZSET), ballots (ZSET), versions (LIST), quotes (ZSET),
              replies (ZSET), gaps (ZSET)
     ARGV     deadline_ms, user_id (who asks), now_ms, tombstone_ttl_s, new_readers (of a private account, else '')
     Returns  'deleted' | 'already_deleted' | 'not_yours' (no such status, or of another author) ]]
-- flags: allow-oom
-- include: late, rewrite_field, keep_former, extent_of_readers, weigh_tombstone, limit_tombstone
local status, favourited_by, ballots, versions, quotes, replies, gaps = unpack(KEYS)
local deadline_ms, user_id, now_ms, tombstone_ttl_s, new_readers = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local uid, idempotency_key, deleted, message, former =
  unpack(redis.call('HMGET', status, 'uid', 'idempotency_key', 'deleted', 'message', 'former'))
if uid ~= user_id then return 'not_yours' end
if deleted then
  rewrite_field(status, 'deleted')
  return 'already_deleted'
end
local tombstone = {'uid', uid, 'idempotency_key', idempotency_key or '', 'deleted', now_ms}
local kept_fields = {'reply_to', 'thread', 'repost_of', 'quote_of', 'tags', 'mentioned', 'untagged', 'unmentioned', 'readers',
  'reply_control', 'detached_from', 'group'}
for i, value in ipairs(redis.call('HMGET', status, unpack(kept_fields))) do
  if value then
    tombstone[#tombstone + 1] = kept_fields[i]
    tombstone[#tombstone + 1] = value
  end
end
redis.call('DEL', status)
redis.call('UNLINK', favourited_by, ballots, versions, quotes)
redis.call('HSET', status, unpack(tombstone))
local readers = redis.call('HGET', status, 'readers') or ''
if extent_of_readers(new_readers) < extent_of_readers(readers) then
  redis.call('HSET', status, 'readers', new_readers)
end
weigh_tombstone(status)
if former then keep_former(status, former) end
if message then keep_former(status, message) end
limit_tombstone(status, replies, gaps, tombstone_ttl_s)
return 'deleted'
