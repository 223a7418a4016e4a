--[[ store/snapshot/respace_edge.lua — gives an edge a score of its own, the next free one: what is
     read on from an exclusive score finds edges that share one only once.
     KEYS[1] ZSET following or followers    ARGV[1] member    ARGV[2] the largest score there can be
     Returns 1 has one | 0 no such edge ]]
local score = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or '')
if not score then return 0 end
local most = tonumber(ARGV[2])
if score < 1 or score > most then
  local now = redis.call('TIME')
  score = now[1] * 1000000 + now[2]
end
score = math.ceil(score)
redis.call('ZREM', KEYS[1], ARGV[1])
local function text() return string.format('%.0f', score) end
while redis.call('ZCOUNT', KEYS[1], text(), text()) > 0 do score = score + 1 end
redis.call('ZADD', KEYS[1], text(), ARGV[1])
return 1
