--[[ leave_posting.lua: removes a status from the search index under one term. The bound of an empty chunk
     goes too, and its range then belongs to the chunk below.
     KEYS     bounds (ZSET of the chunks), chunk (SET to which the id belongs)
     ARGV     deadline_ms, status_id, bound (of the chunk)
     Returns  'removed' | 'last' (the term may have no status any more) | 'unchanged' (not there) | 'wrong_chunk' (the id
              belongs to another chunk) ]]
-- flags: allow-oom
-- include: late, chunk_bound, drop_bound
local bounds, chunk = unpack(KEYS)
local deadline_ms, status_id, bound = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if chunk_bound(bounds, status_id) ~= bound then return 'wrong_chunk' end
if redis.call('SREM', chunk, status_id) == 0 then return 'unchanged' end
drop_bound(bounds, chunk, bound)
return redis.call('EXISTS', bounds, chunk) == 0 and 'last' or 'removed'
