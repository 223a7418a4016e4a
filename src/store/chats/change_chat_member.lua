--[[ change_chat_member.lua: changes the part of a person in a chat.
     KEYS     chat (HASH), members (HASH), messages (HASH), hidden (SET)
     ARGV     deadline_ms, member, change ('accept', 'ignore', 'leave', 'go' when the account is deleted, 'mute',
              'unmute', 'read' up to a message, 'clear' up to a message; by a repair 'recount', 'correct_bytes'), value (the
              message, the bytes to add, or 0),
              is_shown ('1' if others see it: open pages of the chat then read it again)
     Returns  {'changed', state of the chat (see the prelude)} | {'not_member'} (or there is no chat) ]]
-- flags: allow-oom
-- include: late, rewrite_field, read_chat_members, format_chat_member, chat_state, count_chat_change, add_chat_entry, count_unread
local MAX_COUNTED = 1000
local chat, members, messages, hidden = unpack(KEYS)
local deadline_ms, member, change, value, is_shown = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local people = read_chat_members(members)
local person = people[member]
if not person then return {'not_member'} end
local has_left = person.state == 'left' or person.state == 'gone'
if has_left and change ~= 'go' and change ~= 'correct_bytes' then
  if change ~= 'leave' then return {'not_member'} end
  rewrite_field(chat, 'last')
  return {'changed', chat_state(chat, members)}
end
local last = tonumber(redis.call('HGET', chat, 'last') or 0)
-- Moves a position forward, and takes the messages up to it from the unread ones. It counts the messages before or
-- after the position, whichever are fewer. If both are too many for one call, the position does not get so far.
local function move(position)
  local first = tonumber(redis.call('HGET', chat, 'first') or 1)
  local from = math.max(person.seen, person.cleared, first - 1)
  local to = math.min(tonumber(value), last)
  if to - from > MAX_COUNTED and last - to > MAX_COUNTED then to = from + MAX_COUNTED end
  person[position] = math.max(person[position], to)
  if to <= from then return end
  if last - to <= to - from then
    person.unread = count_unread(messages, hidden, member, to, last)
  else
    person.unread = math.max(person.unread - count_unread(messages, hidden, member, from, to), 0)
  end
end
if change == 'accept' then
  person.state = 'open'
elseif change == 'ignore' then
  if person.state == 'asked' then person.state = 'ignored' end
elseif change == 'leave' then
  add_chat_entry(chat, messages, people, member, 'left', '')
  person.state, person.unread = 'left', 0
elseif change == 'go' then
  person.state, person.unread = 'gone', 0
elseif change == 'mute' or change == 'unmute' then
  person.muted = change == 'mute' and '1' or '0'
elseif change == 'read' then
  move('seen')
elseif change == 'clear' then
  move('cleared')
elseif change == 'recount' then
  person.unread = count_unread(messages, hidden, member, math.max(person.seen, person.cleared), last)
elseif change == 'correct_bytes' then
  person.bytes = math.max(person.bytes + tonumber(value), 0)
end
redis.call('HSET', members, member, format_chat_member(person))
if is_shown == '1' then count_chat_change(chat) end
rewrite_field(chat, 'last')
return {'changed', chat_state(chat, members)}
