--[[ rank_followed.lua: ranks a person among the most followed people, by their number of followers.
     KEYS     ranking (ZSET)
     ARGV     user_id, follower_count, max_people
     Returns  'ranked' ]]
-- flags: allow-oom
local ranking = KEYS[1]
local user_id, follower_count, max_people = unpack(ARGV)
if follower_count == '0' then
  redis.call('ZREM', ranking, user_id)
else
  redis.call('ZADD', ranking, follower_count, user_id)
end
redis.call('ZREMRANGEBYRANK', ranking, 0, -tonumber(max_people) - 1)
return 'ranked'
