--[[ narrow_tombstone.lua: stores the readers of a tombstone before its private author is deleted. The account narrowed
     them until now, and they decide about the replies.
     KEYS     status (HASH)
     ARGV     user_id, new_readers
     Returns  'narrowed' | 'kept' (not narrower) | 'not_theirs' (no tombstone of this author) ]]
-- flags: allow-oom
-- include: extent_of_readers
local status = KEYS[1]
local user_id, new_readers = unpack(ARGV)
local uid, deleted, readers = unpack(redis.call('HMGET', status, 'uid', 'deleted', 'readers'))
if uid ~= user_id or not deleted then return 'not_theirs' end
if extent_of_readers(new_readers) >= extent_of_readers(readers or '') then return 'kept' end
redis.call('HSET', status, 'readers', new_readers)
return 'narrowed'
