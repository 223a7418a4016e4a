--[[ enter_posting.lua: adds a status to the search index under one term. The postings of a term are in
     chunks, each from its lower bound up to the next one. A full chunk moves the ids above the new
     status to a new chunk, named after that status. The newest chunk counts as full a little earlier,
     which leaves room for late ids.
     KEYS     bounds (ZSET of the chunks), chunk (SET to which the id belongs), new_chunk (SET that the
              status would begin)
     ARGV     deadline_ms, status_id, bound (of the chunk), full_count, newest_full_count
     Returns  'first' (the term had no status) | 'added' | 'unchanged' (already there) | 'wrong_chunk' (the id belongs
              to another chunk) ]]
-- include: late, chunk_bound
local bounds, chunk, new_chunk = unpack(KEYS)
local deadline_ms, status_id, bound, full_count, newest_full_count = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if chunk_bound(bounds, status_id) ~= bound then return 'wrong_chunk' end
if redis.call('SISMEMBER', chunk, status_id) == 1 then return 'unchanged' end
local newest = redis.call('ZRANGE', bounds, 0, 0)[1] or '0'
local full = tonumber(bound == newest and newest_full_count or full_count)
local count = redis.call('SCARD', chunk)
if status_id == bound or count < full then
  redis.call('SADD', chunk, status_id)
  return newest == '0' and count == 0 and 'first' or 'added'
end
local above = {status_id}
for _, id in ipairs(redis.call('SMEMBERS', chunk)) do
  if tonumber(id) > tonumber(status_id) then above[#above + 1] = id end
end
redis.call('SREM', chunk, unpack(above))
redis.call('SADD', new_chunk, unpack(above))
redis.call('ZADD', bounds, 0, '0', '-' .. status_id, status_id)
return 'added'
