--[[ send_message.lua: adds a message to a chat, and makes the chat with its first message. A form that was sent
     before returns the message that it became, unless that was edited or deleted since. Writing in a chat accepts it.
     KEYS     chat (HASH), members (HASH), messages (HASH), sent_message (STRING), hidden (SET), expiring (ZSET)
     ARGV     deadline_ms, author, text, digest (of the text), key_ttl_s, max_messages (that a chat keeps; beyond them the
              person who wrote the most loses the oldest ones),
              room_bytes (of the author), age_ms (dates it back), then user id and state of each person of a new chat (none: the chat exists)
     Returns  {'sent', number, state of the chat (see the prelude)} | {'conflict'} (the form sent another text, or such a message)
              | {'not_member'} (or there is no chat) | {'waiting'} (no one has accepted the first message)
              | {'alone'} (everybody else left) | {'over_quota'} ]]
-- include: late, rewrite_field, read_chat_members, store_chat_members, chat_state, add_chat_entry, schedule_expiry, remove_beyond_limit
local chat, members, messages, sent_message, hidden, expiring = unpack(KEYS)
local deadline_ms, author, text, digest, key_ttl_s, max_messages, room_bytes, age_ms = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local bound = redis.call('GET', sent_message)
if bound and redis.call('EXISTS', members) == 1 then
  local bound_id, bound_digest = string.match(bound, '^(%d+):(%x+)$')
  rewrite_field(chat, 'last')
  local stored = bound_id and redis.call('HGET', messages, bound_id)
  local own = read_chat_members(members)[author]
  local is_deleted = not stored or own and tonumber(bound_id) <= own.cleared
    or redis.call('SISMEMBER', hidden, author .. ':' .. bound_id) == 1
  -- The mark of an unchanged message is '-'.
  if bound_digest ~= digest or is_deleted or not string.match(stored, '^%d+ %d+ %-\n') then return {'conflict'} end
  return {'sent', bound_id, chat_state(chat, members)}
end
local people = read_chat_members(members)
if not next(people) then
  for at = 9, #ARGV, 2 do
    people[ARGV[at]] = {state = ARGV[at + 1], seen = 0, unread = 0, cleared = 0, muted = '0', written = 0, bytes = 0}
  end
end
local own = people[author]
if not own or own.state == 'left' or own.state == 'gone' then return {'not_member'} end
local is_open, is_asked = false, false
for id, person in pairs(people) do
  if id ~= author then
    is_open = is_open or person.state == 'open'
    is_asked = is_asked or person.state == 'asked' or person.state == 'ignored'
  end
end
if not is_open and not is_asked then return {'alone'} end
if not is_open and own.written > 0 then return {'waiting'} end

local is_new = redis.call('EXISTS', chat) == 0
local id = add_chat_entry(chat, messages, people, author, '-', text, room_bytes, age_ms)
if not id then return {'over_quota'} end
if is_new then
  local now = redis.call('TIME')
  redis.call('HSET', chat, 'created', now[1] * 1000 + math.floor(now[2] / 1000) - age_ms)
end
schedule_expiry(chat, expiring, id)
own.state = 'open'
own.written = own.written + 1
if own.seen == id - 1 then own.seen = id end
for member, person in pairs(people) do
  if member ~= author and person.state ~= 'left' and person.state ~= 'gone' then
    person.unread = person.unread + 1
  end
end
remove_beyond_limit({chat, messages, hidden, expiring}, people, id, tonumber(max_messages))
store_chat_members(members, people)
redis.call('SET', sent_message, id .. ':' .. digest, 'EX', key_ttl_s)
return {'sent', tostring(id), chat_state(chat, members)}
