--[[ set_reply_control.lua: changes who can reply to a status, or whether others can quote it, or both.
     An unknown stored text closes replies and quotes, as on pages.
     KEYS     status (HASH)
     ARGV     deadline_ms, user_id (who asks), repliers (or '' to keep them), expected_repliers ('=' and the stored ones
              that the change is based on, or ''), quoting ('open', 'closed', or '' to keep it)
     Returns  'done' (by this call or an earlier one) | 'not_found' (no such status, of another author, or without
              a text) | 'conflict' (another device changed the repliers meanwhile, so nothing is changed) ]]
-- flags: allow-oom
-- include: late, changed_meanwhile, rewrite_field, store_or_delete_field
local status = KEYS[1]
local deadline_ms, user_id, repliers, expected_repliers, quoting = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local uid, deleted, repost_of, stored =
  unpack(redis.call('HMGET', status, 'uid', 'deleted', 'repost_of', 'reply_control'))
if uid ~= user_id or deleted or repost_of then return 'not_found' end
local stored_repliers, stored_quoting = 'everyone', ''
if stored then stored_repliers, stored_quoting = string.match(stored, '^(%l+)(.*)$') end
local known_repliers = {everyone = true, followers = true, followed = true, mentioned = true, nobody = true}
local is_known = known_repliers[stored_repliers] and (stored_quoting == '' or stored_quoting == ' quoting_closed')
if not is_known or stored == 'everyone' then stored_repliers, stored_quoting = 'nobody', ' quoting_closed' end
if repliers == '' then repliers = stored_repliers end
if changed_meanwhile(stored_repliers, expected_repliers, repliers) then return 'conflict' end
if quoting ~= '' then stored_quoting = quoting == 'closed' and ' quoting_closed' or '' end
local reply_control = repliers .. stored_quoting
if reply_control == 'everyone' then reply_control = '' end
store_or_delete_field(status, 'reply_control', reply_control)
rewrite_field(status, 'uid')
return 'done'
