--[[ change_message.lua: changes a message: its author deletes it for everybody or edits it for some time, or a person
     deletes it for themselves.
     KEYS     chat (HASH), members (HASH), messages (HASH), hidden (SET)
     ARGV     deadline_ms, member, message, change ('delete', 'edit' or 'hide'), text (of an edit), revision (that the
              edit changes: the time of the former edit, or 0), edit_ms (time for edits after the message), room_bytes
              (of the member, for a longer text)
     Returns  {'changed', state of the chat (see the prelude)} | {'not_found'} (also to edit a message that the
              member deleted for themselves) | {'outdated'} (the edit changes another revision)
              | {'too_late'} (to edit) | {'over_quota'} ]]
-- flags: allow-oom
-- include: late, rewrite_field, read_chat_members, store_chat_members, chat_state, count_chat_change, author_of_unread, uncount_message, uncount_chat_bytes, chat_entry_bytes
local chat, members, messages, hidden = unpack(KEYS)
local deadline_ms, member, message, change, text, revision, edit_ms, room_bytes = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local people = read_chat_members(members)
local own = people[member]
local stored = own and redis.call('HGET', messages, message)
if not stored or own.state == 'left' or own.state == 'gone' then return {'not_found'} end
rewrite_field(chat, 'last')
local author, at_ms, mark, old_text = string.match(stored, '^(%d+) (%d+) (%S+)\n(.*)$')
if change == 'hide' then
  local is_unread = tonumber(message) > math.max(own.seen, own.cleared) and author ~= member
  local was_shown = redis.call('SADD', hidden, member .. ':' .. message) == 1
  if was_shown and is_unread and author_of_unread(stored) then
    own.unread = math.max(own.unread - 1, 0)
    store_chat_members(members, {[member] = own})
  end
  return {'changed', chat_state(chat, members)}
end
local is_hidden = tonumber(message) <= own.cleared or redis.call('SISMEMBER', hidden, member .. ':' .. message) == 1
if author ~= member or change == 'edit' and is_hidden then return {'not_found'} end
if change == 'delete' then
  if mark ~= 'deleted' and author_of_unread(stored) then
    local tombstone = author .. ' ' .. at_ms .. ' deleted\n'
    uncount_message(people, hidden, message, stored)
    uncount_chat_bytes(people, stored)
    own.bytes = own.bytes + chat_entry_bytes(tombstone)
    store_chat_members(members, people)
    redis.call('HSET', messages, message, tombstone)
    count_chat_change(chat)
  end
  return {'changed', chat_state(chat, members)}
end
if not author_of_unread(stored) then return {'not_found'} end
if old_text == text then return {'changed', chat_state(chat, members)} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if now - at_ms > tonumber(edit_ms) then return {'too_late'} end
local stored_revision = tonumber(mark) or 0
if stored_revision ~= tonumber(revision) then return {'outdated'} end
now = math.max(now, stored_revision + 1)
local edited = string.format('%s %s %.0f\n', author, at_ms, now) .. text
local growth = #edited - #stored
if growth > 0 and growth > tonumber(room_bytes) then return {'over_quota'} end
own.bytes = math.max(own.bytes + growth, 0)
store_chat_members(members, {[member] = own})
redis.call('HSET', messages, message, edited)
count_chat_change(chat)
return {'changed', chat_state(chat, members)}
