--[[ store/replies/place_answer.lua — puts an answer where it belongs under the status that it answers,
     and counts what is there. It stays while it lives, or as a gap while others answer it, whatever
     became of the one answered; that one's own counts go with it.
     KEYS[1] ZSET answers       KEYS[2] ZSET gaps        KEYS[3] HASH status that is answered
     ARGV[1] deadline (ms)      ARGV[2] the answer's id  ARGV[3] answer | gap | nowhere
     Returns 1 placed | 0 placed, and the one answered does not live ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
for i, stand in ipairs({'answer', 'gap'}) do
  if ARGV[3] == stand then
    redis.call('ZADD', KEYS[i], '-' .. ARGV[2], ARGV[2])
  else
    redis.call('ZREM', KEYS[i], ARGV[2])
  end
end
return count_answers(KEYS[3], KEYS[1], KEYS[2]) and 1 or 0
