--[[ store/statuses/note_pass.lua — notes how far the delivery of a status has come, and says whether it
     still lives, and with the tags that the pass saw. What is noted never falls, and goes with the last
     pass: a pass that runs twice counts once.
     KEYS[1] HASH status        ARGV[1] deadline (ms)
     ARGV[2] score up to which followers have it (µs), or 0 after the last pass
     ARGV[3] its tags, as the pass saw them
     Returns 1 it lives | 2 it lives and has other tags: nothing is noted | 0 it is dead, or not there ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
local held = redis.call('HMGET', KEYS[1], 'uid', 'deleted', 'delivered', 'tags')
if not held[1] or held[2] then return 0 end
if (held[4] or '') ~= ARGV[3] then return 2 end
if ARGV[2] == '0' then
  redis.call('HDEL', KEYS[1], 'delivered')
elseif tonumber(ARGV[2]) > tonumber(held[3] or 0) then
  redis.call('HSET', KEYS[1], 'delivered', ARGV[2])
end
return 1
