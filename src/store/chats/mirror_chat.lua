--[[ mirror_chat.lua: writes the copy of a chat with one of its people: its place among their conversations or
     requests, its unread messages, and the bytes that it counts as in their quota. Their open pages read again. A deleted user gets no copy.
     KEYS     user (HASH), chats (ZSET), chat_requests (ZSET), unread_chats (HASH), channel (of the user),
              chat_bytes (HASH)
     ARGV     deadline_ms, chat, place ('chats', 'requests' or 'none'), at_us (time of the last message),
              unread (messages, 0 for a muted chat), bytes
     Returns  'done' ]]
-- flags: allow-oom
-- include: late, publish_change, add_at_free_score, remove_member, count_bytes
local user, chats, chat_requests, unread_chats, channel, chat_bytes = unpack(KEYS)
local deadline_ms, chat, place, at_us, unread, bytes = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('HEXISTS', user, 'login') == 0 then place, unread, bytes = 'none', '0', '0' end
local to = place == 'chats' and chats or place == 'requests' and chat_requests
for _, key in ipairs({chats, chat_requests}) do
  if key == to then add_at_free_score(key, at_us, chat) else remove_member(key, chat) end
end
if unread == '0' then
  redis.call('HDEL', unread_chats, chat)
else
  redis.call('HSET', unread_chats, chat, unread)
end
count_bytes(chat_bytes, chat, bytes)
publish_change(channel)
return 'done'
