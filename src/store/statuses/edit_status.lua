--[[ edit_status.lua: replaces the text of a status, if its author may still edit it. This is the source
     of truth. It can show the status to fewer people too; narrow_status.lua does that without a new text.
     The earlier version is kept as JSON with the time (ms) since which it was shown. Its text stays until
     search has forgotten it. The bytes that the status counts as include earlier versions, the
     poll and the derived fields.
     KEYS     status (HASH), versions (LIST)
     ARGV     deadline_ms, user_id (who asks), edit_window_ms (after posting), max_edits,
              base_revision (to which the new text applies), new_message, new_warning (or ''),
              beyond_base_bytes (of the new text; may be negative), new_readers (or '', for everyone; stored only
              if they are fewer), waits ('1' if the text waits for a moderator, or ''), age_ms (of the edit: 0 unless it is dated
              back; it is never before the version that it replaces), then field, value, … (derived from the text; '' deletes a field)
     Returns  'edited' (by this call or an earlier try) | 'not_yours' (no such status, of another author,
              or without a text) | 'too_late' | 'too_often' | 'outdated' (edited since that revision) ]]
-- include: late, rewrite_field, keep_former, extent_of_readers, store_or_delete_field
local status, versions = unpack(KEYS)
local deadline_ms, user_id, edit_window_ms, max_edits, base_revision, new_message, new_warning, beyond_base_bytes, new_readers, waits, age_ms = unpack(ARGV, 1, 11)
if late(deadline_ms) then return redis.error_reply(LATE) end
local fields = {'uid', 'deleted', 'repost_of', 'posted', 'message', 'warning', 'edited', 'revision', 'poll',
  'version_bytes', 'readers'}
local uid, deleted, repost_of, posted, message, warning, edited, revision, poll, version_bytes, readers =
  unpack(redis.call('HMGET', status, unpack(fields)))
if uid ~= user_id or deleted or repost_of then return 'not_yours' end
warning, revision = warning or '', revision or '0'
local is_same_text = message == new_message and warning == new_warning
local is_narrower = extent_of_readers(new_readers) < extent_of_readers(readers or '')
if is_same_text and not is_narrower then
  rewrite_field(status, 'message')
  return 'edited'
end
local now = redis.call('TIME')
now = math.max(now[1] * 1000 + math.floor(now[2] / 1000) - age_ms, edited or posted)
if now >= tonumber(posted) + tonumber(edit_window_ms) then return 'too_late' end
if tonumber(revision) >= tonumber(max_edits) then return 'too_often' end
if revision ~= base_revision then return 'outdated' end
if is_narrower then redis.call('HSET', status, 'readers', new_readers) end
local version = {message = message, warning = warning, since = edited or posted}
version = cjson.encode(version)
redis.call('RPUSH', versions, version)
version_bytes = (version_bytes or 0) + #version + 128
local extra_bytes = beyond_base_bytes + version_bytes + #(poll or '')
keep_former(status, message)
redis.call('HSET', status, 'message', new_message, 'edited', string.format('%.0f', now), 'revision', revision + 1,
  'version_bytes', version_bytes)
store_or_delete_field(status, 'warning', new_warning)
if waits ~= '' then redis.call('HSET', status, 'waiting', revision + 1) end
for at = 12, #ARGV, 2 do
  store_or_delete_field(status, ARGV[at], ARGV[at + 1])
  extra_bytes = extra_bytes + #ARGV[at + 1]
end
store_or_delete_field(status, 'extra_bytes', extra_bytes > 0 and extra_bytes or '')
return 'edited'
