--[[ change_chat.lua: changes the name of a chat, or the time after which new messages disappear. An event in the chat
     says so. As long as no one has accepted the first message, its author cannot change the chat.
     KEYS     chat (HASH), members (HASH), messages (HASH)
     ARGV     deadline_ms, member, field ('name' or 'expiry_days'), event ('renamed' or 'expiry'), value ('' for none),
              room_bytes (of the member), age_ms (dates it back)
     Returns  {'changed', state of the chat (see the prelude)} | {'not_member'} (or there is no chat)
              | {'waiting'} (no one else has accepted the chat) | {'over_quota'} ]]
-- include: late, rewrite_field, read_chat_members, store_chat_members, chat_state, add_chat_entry, store_or_delete_field
local chat, members, messages = unpack(KEYS)
local deadline_ms, member, field, event, value, room_bytes, age_ms = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local people = read_chat_members(members)
if not people[member] or people[member].state ~= 'open' then return {'not_member'} end
local is_accepted = false
for id, person in pairs(people) do
  is_accepted = is_accepted or id ~= member and person.state == 'open'
end
if not is_accepted then return {'waiting'} end
if (redis.call('HGET', chat, field) or '') ~= value then
  if not add_chat_entry(chat, messages, people, member, event, value, room_bytes, age_ms) then return {'over_quota'} end
  store_or_delete_field(chat, field, value)
  store_chat_members(members, {[member] = people[member]})
end
rewrite_field(chat, 'last')
return {'changed', chat_state(chat, members)}
