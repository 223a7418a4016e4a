--[[ set_reply_control.lua: stores who can reply to a status, and whether others can quote it.
     KEYS     status (HASH)
     ARGV     deadline_ms, user_id (who asks), reply_control (or '', for everyone)
     Returns  'done' (by this call or an earlier one) | 'not_found' (no such status, of another author, or without
              a text) ]]
-- flags: allow-oom
-- include: late, rewrite_field, store_or_delete_field
local status = KEYS[1]
local deadline_ms, user_id, reply_control = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local uid, deleted, repost_of = unpack(redis.call('HMGET', status, 'uid', 'deleted', 'repost_of'))
if uid ~= user_id or deleted or repost_of then return 'not_found' end
store_or_delete_field(status, 'reply_control', reply_control)
rewrite_field(status, 'uid')
return 'done'
