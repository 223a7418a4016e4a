--[[ change_chat_member.lua: changes the part of a person in a chat.
     KEYS     chat (HASH), members (HASH), messages (HASH), hidden (SET)
     ARGV     deadline_ms, member, change ('accept', 'ignore', 'leave', 'go' when the account is deleted, 'mute',
              'unmute', 'read' up to a message, 'clear' up to a message), value (the message, or 0), is_shown ('1' if
              others see it: open pages of the chat then read it again)
     Returns  {'changed', state of the chat (see the prelude)} | {'not_member'} (or there is no chat) ]]
-- flags: allow-oom
-- include: late, rewrite_field, read_chat_members, format_chat_member, chat_state, count_chat_change, add_chat_entry, count_unread
local chat, members, messages, hidden = unpack(KEYS)
local deadline_ms, member, change, value, is_shown = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local person = read_chat_members(members)[member]
if not person then return {'not_member'} end
local has_left = person.state == 'left' or person.state == 'gone'
if has_left and change ~= 'go' then
  if change ~= 'leave' then return {'not_member'} end
  rewrite_field(chat, 'last')
  return {'changed', chat_state(chat, members)}
end
local last = tonumber(redis.call('HGET', chat, 'last') or 0)
local function forget_unread()
  person.unread = count_unread(messages, hidden, member, math.max(person.seen, person.cleared), last)
end
if change == 'accept' then
  person.state = 'open'
elseif change == 'ignore' then
  if person.state == 'asked' then person.state = 'ignored' end
elseif change == 'leave' then
  add_chat_entry(chat, messages, member, 'left', '')
  person.state, person.unread = 'left', 0
elseif change == 'go' then
  person.state, person.unread = 'gone', 0
elseif change == 'mute' or change == 'unmute' then
  person.muted = change == 'mute' and '1' or '0'
elseif change == 'read' then
  person.seen = math.max(person.seen, math.min(tonumber(value), last))
  forget_unread()
elseif change == 'clear' then
  person.cleared = math.max(person.cleared, math.min(tonumber(value), last))
  forget_unread()
end
redis.call('HSET', members, member, format_chat_member(person))
if is_shown == '1' then count_chat_change(chat) end
rewrite_field(chat, 'last')
return {'changed', chat_state(chat, members)}
