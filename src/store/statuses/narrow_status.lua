--[[ narrow_status.lua: shows a status to fewer people and keeps its text, if its author may still edit it. This is
     the source of truth. It works with full memory, because it revokes access. The bytes stay: each mention of a
     person who no longer sees the status goes from one field to another.
     KEYS     status (HASH)
     ARGV     deadline_ms, user_id (who asks), edit_window_ms (after posting), base_revision (to which the edit
              applies), message, warning (or ''), new_readers (or '', for everyone), then field, value, …
              (derived from the text; '' deletes a field)
     Returns  'edited' (by this call or an earlier one) | 'not_yours' (no such status, of another author, or
              without a text) | 'too_late' | 'outdated' (edited since that revision) | 'other_text' (the text is
              another one) ]]
-- flags: allow-oom
-- include: late, rewrite_field, extent_of_readers, store_or_delete_field
local status = KEYS[1]
local deadline_ms, user_id, edit_window_ms, base_revision, message, warning, new_readers = unpack(ARGV, 1, 7)
if late(deadline_ms) then return redis.error_reply(LATE) end
local fields = {'uid', 'deleted', 'repost_of', 'posted', 'message', 'warning', 'revision', 'readers'}
local uid, deleted, repost_of, posted, old_message, old_warning, revision, readers =
  unpack(redis.call('HMGET', status, unpack(fields)))
if uid ~= user_id or deleted or repost_of then return 'not_yours' end
if message ~= old_message or warning ~= (old_warning or '') then return 'other_text' end
if extent_of_readers(new_readers) >= extent_of_readers(readers or '') then
  rewrite_field(status, 'message')
  return 'edited'
end
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
if now >= tonumber(posted) + tonumber(edit_window_ms) then return 'too_late' end
if (revision or '0') ~= base_revision then return 'outdated' end
redis.call('HSET', status, 'readers', new_readers)
for at = 8, #ARGV, 2 do
  store_or_delete_field(status, ARGV[at], ARGV[at + 1])
end
return 'edited'
