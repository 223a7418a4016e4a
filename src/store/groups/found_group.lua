--[[ found_group.lua: founds a group. Its founder becomes the owner and its first member.
     KEYS     group (HASH), members (ZSET), roles (HASH), home (ZSET), notified (ZSET), log (ZSET)
     ARGV     deadline_ms, founder, slug, digest (of the fields), entry (of the log), age_ms (dates it back), then fields
              and values of the group
     Returns  'founded' (by this call or an earlier one) | 'conflict' (the form founded a group with other texts, or one
              that was deleted or that the founder has left) ]]
-- include: late, rewrite_field, next_score, set_group_delivery
local group, members, roles, home, notified, log = unpack(KEYS)
local deadline_ms, founder, slug, digest, entry, age_ms = unpack(ARGV)
local keys = {group = group, home = home, notified = notified}
if late(deadline_ms) then return redis.error_reply(LATE) end
local known, gone, form = unpack(redis.call('HMGET', group, 'slug', 'gone', 'form'))
if known or gone then
  rewrite_field(group, known and 'slug' or 'gone')
  local is_other = known ~= slug or form and form ~= digest
  if is_other or gone or not redis.call('ZSCORE', members, founder) then return 'conflict' end
  return 'founded'
end
local now = redis.call('TIME')
redis.call('HSET', group, 'slug', slug, 'form', digest, 'owner', founder, 'members', 1, 'requests', 0,
  'founded', string.format('%.0f', now[1] * 1000 + math.floor(now[2] / 1000) - age_ms),
  'active', string.format('%.0f', now[1] * 1000000 + now[2] - age_ms * 1000))
for at = 7, #ARGV, 2 do redis.call('HSET', group, ARGV[at], ARGV[at + 1]) end
redis.call('ZADD', members, next_score(members, age_ms), founder)
redis.call('HSET', roles, founder, 'owner')
set_group_delivery(keys, founder, 'home', age_ms)
redis.call('ZADD', log, next_score(log, age_ms), entry)
return 'founded'
