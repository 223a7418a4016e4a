--[[ store/timelines/read_timeline.lua — reads a part of a timeline together with what its mark says: of a
     list, and of a home where a page reads on. A visit keeps it active; the mark is touched once an hour at most, so that reading is no
     write, and not at all where Redis takes no writes (a replica, a full disk), so that it can be read.
     KEYS[1] ZSET timeline      KEYS[2] STRING active mark
     ARGV[1] where to begin (exclusive score)   ARGV[2] how many ids   ARGV[3] TTL of the mark (s)
     Returns {mark or false, ids, newest first} ]]
local mark = redis.call('GET', KEYS[2])
local ttl = tonumber(ARGV[3])
if mark and not string.find(mark, 'building:', 1, true) then
  if redis.call('TTL', KEYS[2]) < ttl - math.min(3600, ttl / 2) then redis.pcall('EXPIRE', KEYS[2], ttl) end
end
return {mark, redis.call('ZRANGE', KEYS[1], ARGV[1], '+inf', 'BYSCORE', 'LIMIT', 0, ARGV[2])}
