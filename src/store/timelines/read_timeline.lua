--[[ read_timeline.lua: reads a part of a timeline with its mark: of a list, or of a home on a page that
     needs more than one read. A visit keeps the timeline active. The mark is touched at most once an
     hour, so most reads write nothing. Where Redis takes no writes (a replica, a full disk), the read
     still works.
     KEYS     timeline (ZSET), active_mark (STRING)
     ARGV     from_score (exclusive), id_count, mark_ttl_s
     Returns  {mark or false, ids, newest first} ]]
local timeline, active_mark = unpack(KEYS)
local from_score, id_count, mark_ttl_s = unpack(ARGV)
local mark = redis.call('GET', active_mark)
local ttl = tonumber(mark_ttl_s)
if mark and not string.find(mark, 'building:', 1, true) then
  if redis.call('TTL', active_mark) < ttl - math.min(3600, ttl / 2) then redis.pcall('EXPIRE', active_mark, ttl) end
end
return {mark, redis.call('ZRANGE', timeline, from_score, '+inf', 'BYSCORE', 'LIMIT', 0, id_count)}
