--[[ rename_chat.lua: changes the name of a chat. An event in the chat says so.
     KEYS     chat (HASH), members (HASH), messages (HASH)
     ARGV     deadline_ms, member, name ('' for none)
     Returns  {'renamed', state of the chat (see the prelude)} | {'not_member'} (or there is no chat) ]]
-- include: late, rewrite_field, read_chat_members, chat_state, add_chat_entry
local chat, members, messages = unpack(KEYS)
local deadline_ms, member, name = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local person = read_chat_members(members)[member]
if not person or person.state ~= 'open' then return {'not_member'} end
if (redis.call('HGET', chat, 'name') or '') ~= name then
  if name == '' then redis.call('HDEL', chat, 'name') else redis.call('HSET', chat, 'name', name) end
  add_chat_entry(chat, messages, member, 'renamed', name)
end
rewrite_field(chat, 'last')
return {'renamed', chat_state(chat, members)}
