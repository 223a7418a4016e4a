--[[ chats.lua: the people, messages, bytes and expiry of chats. ]]

-- Parses a person of a chat, as the HASH of members stores it.
local function parse_chat_member(text)
  local state, seen, unread, cleared, muted, written, bytes =
    string.match(text, '^(%l+) (%d+) (%d+) (%d+) (%d) (%d+) ?(%d*)$')
  return {state = state, seen = tonumber(seen), unread = tonumber(unread), cleared = tonumber(cleared),
    muted = muted, written = tonumber(written), bytes = tonumber(bytes) or 0}
end

-- Formats a person of a chat.
local function format_chat_member(person)
  return string.format('%s %.0f %.0f %.0f %s %.0f %.0f', person.state, person.seen, person.unread, person.cleared,
    person.muted, person.written, person.bytes)
end

-- Returns the people of a chat by their ids.
-- include: parse_chat_member
local function read_chat_members(members)
  local rows, people = redis.call('HGETALL', members), {}
  for at = 1, #rows, 2 do people[rows[at]] = parse_chat_member(rows[at + 1]) end
  return people
end

-- Stores people of a chat.
-- include: format_chat_member
local function store_chat_members(members, people)
  for id, person in pairs(people) do redis.call('HSET', members, id, format_chat_member(person)) end
end

-- Returns the data from which the copies of a chat follow: the time (µs) and the number of its last message, the time
-- at which its next message disappears (ms, '0' for none any more, '' if none ever did), and its members.
local function chat_state(chat, members)
  local at, last, expires = unpack(redis.call('HMGET', chat, 'at', 'last', 'expires'))
  return {at or '0', last or '0', expires or '', redis.call('HGETALL', members)}
end

-- Counts a change of a chat, so that open pages read it again.
local function count_chat_change(chat)
  redis.call('HINCRBY', chat, 'version', 1)
end

-- Returns the bytes that a stored message or event counts as in the quota of its author. `ENTRY_BYTES` of the store
-- (`chats/bytes.rs`) is the same number.
local function chat_entry_bytes(stored)
  return 128 + #stored
end

-- Adds a message, or an event with its kind as the mark, and counts its bytes. Returns its number, or nothing if it
-- counts as more bytes than the author has room for. `age_ms` dates it back. Its time is later than that of the message
-- before, also if the clock was set back. The caller stores the people.
-- include: count_chat_change, chat_entry_bytes
local function add_chat_entry(chat, messages, people, author, mark, text, room_bytes, age_ms)
  local now = redis.call('TIME')
  local last_at = tonumber(redis.call('HGET', chat, 'at') or 0)
  local at = math.max(now[1] * 1000000 + now[2] - (tonumber(age_ms) or 0) * 1000, last_at + 1)
  local stored = string.format('%s %.0f %s\n', author, math.floor(at / 1000), mark) .. text
  local bytes = chat_entry_bytes(stored)
  if room_bytes and bytes > tonumber(room_bytes) then return nil end
  local id = redis.call('HINCRBY', chat, 'last', 1)
  redis.call('HSET', chat, 'at', string.format('%.0f', at))
  redis.call('HSET', messages, id, stored)
  people[author].bytes = people[author].bytes + bytes
  count_chat_change(chat)
  return id
end

-- Gives the bytes of a message or event that is removed back to its author.
-- include: chat_entry_bytes
local function uncount_chat_bytes(people, stored)
  local author = people[string.match(stored or '', '^(%d+) ')]
  if author then author.bytes = math.max(author.bytes - chat_entry_bytes(stored), 0) end
end

-- Notes when a new message disappears, if the chat has an expiry. A time of the message ahead of the clock does not
-- count: an earlier message was sent by a wrong clock.
local function schedule_expiry(chat, expiring, id)
  local days, at_us, expires = unpack(redis.call('HMGET', chat, 'expiry_days', 'at', 'expires'))
  if not days then return end
  local now = redis.call('TIME')
  local sent_ms = math.min(math.floor(at_us / 1000), now[1] * 1000 + math.floor(now[2] / 1000))
  local at = sent_ms + days * 86400000
  redis.call('ZADD', expiring, string.format('%.0f', at), id)
  expires = tonumber(expires or 0)
  if expires == 0 or at < expires then redis.call('HSET', chat, 'expires', string.format('%.0f', at)) end
end

-- Returns the author of a message that can be unread. Deleted messages and events cannot.
local function author_of_unread(stored)
  local author, mark = string.match(stored or '', '^(%d+) %d+ (%S+)\n')
  if mark and (mark == '-' or string.match(mark, '^%d+$')) then return author end
end

-- Counts the messages of others after one and up to another, without those that the member deleted for themselves.
-- include: author_of_unread
local function count_unread(messages, hidden, member, after, last)
  local count = 0
  for from = after + 1, last, 500 do
    local ids, marks = {}, {}
    for id = from, math.min(from + 499, last) do
      ids[#ids + 1] = string.format('%.0f', id)
      marks[#marks + 1] = member .. ':' .. ids[#ids]
    end
    local is_hidden = redis.call('SMISMEMBER', hidden, unpack(marks))
    for at, stored in ipairs(redis.call('HMGET', messages, unpack(ids))) do
      local author = author_of_unread(stored)
      if author and author ~= member and is_hidden[at] == 0 then count = count + 1 end
    end
  end
  return count
end

-- Takes a message that is removed from the unread messages of all people. Those who deleted it for
-- themselves do not count it.
-- include: author_of_unread
local function uncount_message(people, hidden, id, stored)
  local author = author_of_unread(stored)
  if not author then return end
  for member, person in pairs(people) do
    local is_unread = tonumber(id) > math.max(person.seen, person.cleared) and member ~= author
    if is_unread and redis.call('SISMEMBER', hidden, member .. ':' .. id) == 0 then
      person.unread = math.max(person.unread - 1, 0)
    end
  end
end

-- Removes the oldest messages of the person who wrote the most while a chat has more than its limit, and no longer counts
-- them as written by that person. So a person who writes very many messages displaces their own, not those of others.
-- `kept_from:<id>` of the chat is the number up to which all messages of a person were removed like this. A call examines a
-- bounded number of messages, and the next one continues there.
-- include: uncount_message, uncount_chat_bytes
local function remove_beyond_limit(keys, people, last, limit)
  local MAX_EXAMINED, MAX_REMOVED = 200, 20
  local chat, messages, hidden, expiring = unpack(keys)
  local excess = math.min(redis.call('HLEN', messages) - limit, MAX_REMOVED)
  if excess <= 0 then return end
  local largest
  for id, person in pairs(people) do
    local most = largest and people[largest].written
    if not most or person.written > most or person.written == most and id < largest then largest = id end
  end
  local field, numbers = 'kept_from:' .. largest, {}
  local first, from = unpack(redis.call('HMGET', chat, 'first', field))
  first = tonumber(first or 1)
  from = math.max(first, tonumber(from or 1))
  for number = from, math.min(from + MAX_EXAMINED, last) - 1 do numbers[#numbers + 1] = string.format('%.0f', number) end
  if #numbers == 0 then return end
  for at, stored in ipairs(redis.call('HMGET', messages, unpack(numbers))) do
    if excess == 0 then break end
    from = from + 1
    if string.match(stored or '', '^(%d+) ') == largest then
      local oldest, marks = numbers[at], {}
      uncount_message(people, hidden, oldest, stored)
      uncount_chat_bytes(people, stored)
      -- 0 would mean that the person has never written here.
      people[largest].written = math.max(people[largest].written - 1, 1)
      redis.call('HDEL', messages, oldest)
      redis.call('ZREM', expiring, oldest)
      for member in pairs(people) do marks[#marks + 1] = member .. ':' .. oldest end
      redis.call('SREM', hidden, unpack(marks))
      excess = excess - 1
    end
  end
  for _ = 1, MAX_REMOVED do
    if first >= last or redis.call('HEXISTS', messages, string.format('%.0f', first)) == 1 then break end
    first = first + 1
  end
  redis.call('HSET', chat, field, string.format('%.0f', from), 'first', string.format('%.0f', first))
end
