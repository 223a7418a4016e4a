--[[ hide_reply.lua: hides a reply of a conversation, or shows it again. The caller knows that the user who asks is
     the author of the first status.
     KEYS     status (HASH)
     ARGV     deadline_ms, root (the first status of the conversation), hidden ('1', or '' to show it again)
     Returns  'done' (by this call or an earlier one) | 'not_found' (no such status, a deleted one, or one of another
              conversation) ]]
-- flags: allow-oom
-- include: late, rewrite_field, store_or_delete_field
local status = KEYS[1]
local deadline_ms, root, hidden = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local uid, deleted, thread = unpack(redis.call('HMGET', status, 'uid', 'deleted', 'thread'))
if not uid or deleted or string.match(thread or '', '^%d+') ~= root then return 'not_found' end
store_or_delete_field(status, 'hidden', hidden)
rewrite_field(status, 'uid')
return 'done'
