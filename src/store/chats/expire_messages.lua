--[[ expire_messages.lua: removes messages that are expired at a time from the chat, the unread counts and the messages
     that people deleted for themselves.
     KEYS     chat (HASH), members (HASH), messages (HASH), hidden (SET), expiring (ZSET)
     ARGV     deadline_ms, max_messages (to remove), now_ms
     Returns  {'expired', state of the chat (see the prelude)} ]]
-- flags: allow-oom
-- include: late, rewrite_field, read_chat_members, store_chat_members, chat_state, count_chat_change, uncount_message, uncount_chat_bytes
local chat, members, messages, hidden, expiring = unpack(KEYS)
local deadline_ms, max_messages, now_ms = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local due = redis.call('ZRANGE', expiring, '-inf', now_ms, 'BYSCORE', 'LIMIT', 0, max_messages)
local people = read_chat_members(members)
for _, id in ipairs(due) do
  local stored = redis.call('HGET', messages, id)
  uncount_message(people, hidden, id, stored)
  uncount_chat_bytes(people, stored)
  for member in pairs(people) do redis.call('SREM', hidden, member .. ':' .. id) end
  redis.call('HDEL', messages, id)
  redis.call('ZREM', expiring, id)
end
if #due > 0 then
  store_chat_members(members, people)
  count_chat_change(chat)
  local first, last = unpack(redis.call('HMGET', chat, 'first', 'last'))
  first, last = tonumber(first or 1), tonumber(last)
  for _ = 1, max_messages do
    if first >= last or redis.call('HEXISTS', messages, string.format('%.0f', first)) == 1 then break end
    first = first + 1
  end
  redis.call('HSET', chat, 'first', string.format('%.0f', first))
end
local next_one = redis.call('ZRANGE', expiring, 0, 0, 'WITHSCORES')
if next_one[1] or redis.call('HEXISTS', chat, 'expires') == 1 then
  redis.call('HSET', chat, 'expires', next_one[2] or '0')
end
rewrite_field(chat, 'last')
return {'expired', chat_state(chat, members)}
