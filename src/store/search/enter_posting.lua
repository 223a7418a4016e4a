--[[ store/search/enter_posting.lua — puts a status into the index under one term. A term's postings
     lie in chunks, each from its lower bound up to the next one's; a chunk that is full gives what is
     above the new status to a chunk of its own, which is named by that status. The newest chunk counts
     as full a little earlier, which leaves room for what comes late.
     KEYS[1] ZSET bounds of the chunks       KEYS[2] SET chunk that holds what is like it
     KEYS[3] SET chunk that the status would begin
     ARGV[1] deadline (ms)      ARGV[2] status id          ARGV[3] lower bound of KEYS[2]
     ARGV[4] how many fill a chunk           ARGV[5] how many fill the newest
     Returns 1 entered | 0 stood there | -1 another chunk holds what is like it ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
local id, bound = ARGV[2], ARGV[3]
if bound_for(KEYS[1], id) ~= bound then return -1 end
if redis.call('SISMEMBER', KEYS[2], id) == 1 then return 0 end
local newest = redis.call('ZRANGE', KEYS[1], 0, 0)[1] or '0'
local full = tonumber(bound == newest and ARGV[5] or ARGV[4])
if id == bound or redis.call('SCARD', KEYS[2]) < full then
  redis.call('SADD', KEYS[2], id)
  return 1
end
local above = {id}
for _, held in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  if tonumber(held) > tonumber(id) then above[#above + 1] = held end
end
redis.call('SREM', KEYS[2], unpack(above))
redis.call('SADD', KEYS[3], unpack(above))
redis.call('ZADD', KEYS[1], 0, '0', '-' .. id, id)
return 1
