--[[ set_reply_control.lua: changes who can reply to a status, or whether others can quote it, or both.
     KEYS     status (HASH)
     ARGV     deadline_ms, user_id (who asks), repliers (or '' to keep them), expected_repliers ('=' and the stored ones
              that the change is based on, or ''), quoting ('open', 'closed', or '' to keep it)
     Returns  'done' (by this call or an earlier one) | 'not_found' (no such status, of another author, or without
              a text) | 'conflict' (someone changed the repliers meanwhile, so nothing is changed) ]]
-- flags: allow-oom
-- include: late, changed_meanwhile, rewrite_field, store_or_delete_field
local status = KEYS[1]
local deadline_ms, user_id, repliers, expected_repliers, quoting = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local uid, deleted, repost_of, stored =
  unpack(redis.call('HMGET', status, 'uid', 'deleted', 'repost_of', 'reply_control'))
if uid ~= user_id or deleted or repost_of then return 'not_found' end
local stored_repliers, stored_quoting = string.match(stored or 'everyone', '^([^ ]+)(.*)$')
if repliers == '' then repliers = stored_repliers end
if changed_meanwhile(stored_repliers, expected_repliers, repliers) then return 'conflict' end
if quoting ~= '' then stored_quoting = quoting == 'closed' and ' quoting_closed' or '' end
local reply_control = repliers .. stored_quoting
if reply_control == 'everyone' then reply_control = '' end
store_or_delete_field(status, 'reply_control', reply_control)
rewrite_field(status, 'uid')
return 'done'
