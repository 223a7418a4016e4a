--[[ store/search/leave_posting.lua — takes a status out of the index under one term. A chunk that is
     empty is none any more; what it would hold belongs to the one below.
     KEYS[1] ZSET bounds of the chunks       KEYS[2] SET chunk that holds what is like it
     ARGV[1] deadline (ms)      ARGV[2] status id          ARGV[3] lower bound of KEYS[2]
     Returns 1 taken out | 0 did not stand there | -1 another chunk holds what is like it ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
if bound_for(KEYS[1], ARGV[2]) ~= ARGV[3] then return -1 end
if redis.call('SREM', KEYS[2], ARGV[2]) == 0 then return 0 end
drop_bound(KEYS[1], KEYS[2], ARGV[3])
return 1
