--[[ delete_chat.lua: deletes a chat that everybody has left, with all its keys.
     KEYS     chat (HASH), members (HASH), messages (HASH), hidden (SET), expiring (ZSET)
     ARGV     deadline_ms
     Returns  'deleted' (or there is none) | 'in_use' ]]
-- flags: allow-oom
-- include: late, read_chat_members
local chat, members, messages, hidden, expiring = unpack(KEYS)
local deadline_ms = ARGV[1]
if late(deadline_ms) then return redis.error_reply(LATE) end
for _, person in pairs(read_chat_members(members)) do
  if person.state ~= 'left' and person.state ~= 'gone' then return 'in_use' end
end
redis.call('UNLINK', chat, members, messages, hidden, expiring)
return 'deleted'
