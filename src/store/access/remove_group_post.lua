--[[ remove_group_post.lua: removes a post from its group, so that only its author sees it. The act stays with the post
     until it is in the log of the group. A post is removed once.
     KEYS     status (HASH)
     ARGV     deadline_ms, group, entry (of the log; '1' once it is there)
     Returns  'done' (by this call or an earlier one) | 'not_found' (no such living post in this group) ]]
-- flags: allow-oom
-- include: late, rewrite_field, status_exists
local status = KEYS[1]
local deadline_ms, group, entry = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if not status_exists(status) or redis.call('HGET', status, 'group') ~= group then return 'not_found' end
local removed = redis.call('HGET', status, 'removed_from_group')
if not removed and entry ~= '1' or removed and entry == '1' then
  redis.call('HSET', status, 'removed_from_group', entry)
else
  rewrite_field(status, 'group')
end
return 'done'
