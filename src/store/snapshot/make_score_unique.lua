--[[ make_score_unique.lua: gives an edge the next free score. Pages continue at an exclusive score, so they
     would skip edges that share one.
     KEYS     edges (ZSET: following or followers)
     ARGV     member, largest_score
     Returns  'repaired' | 'not_found' ]]
local edges = KEYS[1]
local member, largest_score = unpack(ARGV)
local score = tonumber(redis.call('ZSCORE', edges, member) or '')
if not score then return 'not_found' end
if score < 1 or score > tonumber(largest_score) then
  local now = redis.call('TIME')
  score = now[1] * 1000000 + now[2]
end
score = math.ceil(score)
redis.call('ZREM', edges, member)
local function text() return string.format('%.0f', score) end
while redis.call('ZCOUNT', edges, text(), text()) > 0 do score = score + 1 end
redis.call('ZADD', edges, text(), member)
return 'repaired'
