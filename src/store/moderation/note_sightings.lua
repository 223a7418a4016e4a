--[[ note_sightings.lua: notes what a shield has seen, up to a number of things. They are forgotten together.
     KEYS     seen (SET)
     ARGV     ttl_s, max_seen, then members
     Returns  the members of the set ]]
local seen = KEYS[1]
local ttl_s, max_seen = unpack(ARGV, 1, 2)
for at = 3, #ARGV do
  if redis.call('SCARD', seen) < tonumber(max_seen) then redis.call('SADD', seen, ARGV[at]) end
end
if redis.call('TTL', seen) == -1 then redis.call('EXPIRE', seen, ttl_s) end
return redis.call('SMEMBERS', seen)
