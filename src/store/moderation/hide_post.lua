--[[ hide_post.lua: hides a post from everybody but its author, or shows it again. The decision of the moderators is in
     the slot of the author; this is its copy.
     KEYS     status (HASH)
     ARGV     deadline_ms, user_id (the author), hidden ('1', or '' to show it again)
     Returns  'done' (by this call or an earlier one) | 'not_found' (no such status, a deleted one, or one of another
              author) ]]
-- flags: allow-oom
-- include: late, rewrite_field
local status = KEYS[1]
local deadline_ms, user_id, hidden = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local uid, deleted = unpack(redis.call('HMGET', status, 'uid', 'deleted'))
if uid ~= user_id or deleted then return 'not_found' end
if hidden == '' then
  redis.call('HDEL', status, 'hidden_by_moderators')
else
  redis.call('HSET', status, 'hidden_by_moderators', hidden)
end
rewrite_field(status, 'uid')
return 'done'
