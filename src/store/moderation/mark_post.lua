--[[ mark_post.lua: hides a post from everybody but its author and puts it behind a warning, or takes both back. Or
     ends that it waits, if it waits since no later revision. The decisions of the moderators are in the slot of the
     author; this is their copy.
     KEYS     status (HASH)
     ARGV     deadline_ms, user_id (the author), hidden ('1', or '' to show it), warning (or ''),
              approved_revision (or '')
     Returns  'done' (by this call or an earlier one) | 'not_found' (no such status, a deleted one, or one of another
              author) ]]
-- flags: allow-oom
-- include: late, rewrite_field, store_or_delete_field
local status = KEYS[1]
local deadline_ms, user_id, hidden, warning, approved_revision = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local uid, deleted, waiting = unpack(redis.call('HMGET', status, 'uid', 'deleted', 'waiting'))
if uid ~= user_id or deleted then return 'not_found' end
for field, value in pairs({hidden_by_moderators = hidden, moderators_warning = warning}) do
  store_or_delete_field(status, field, value)
end
if waiting and approved_revision ~= '' and tonumber(waiting) <= tonumber(approved_revision) then
  redis.call('HDEL', status, 'waiting')
end
rewrite_field(status, 'uid')
return 'done'
