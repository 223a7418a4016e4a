--[[ read_chat.lua: reads a part of a chat for one of its people: its fields, all people, and messages, newest first.
     Messages that the viewer deleted for themselves and expired ones are left out. A person who has not accepted a request sees only its first message, and no name. The other messages follow with the acceptance. The part ends early when its messages
     reach max_bytes, which at most three of them exceed.
     KEYS     chat (HASH), members (HASH), messages (HASH), hidden (SET), expiring (ZSET)
     ARGV     viewer, before (a message, or '' for the newest), count (of messages), max_examined (messages),
              max_bytes (of stored messages)
     Returns  {'not_member'} (or there is no chat) | {'read', values of last, at, version, name, first, expiry_days,
              members with their values, numbers and stored messages, the message before which the next part
              begins or '' at the end, number of examined messages} ]]
-- include: parse_chat_member
local chat, members, messages, hidden, expiring = unpack(KEYS)
local viewer, before, count, max_examined, max_bytes = unpack(ARGV)
-- The largest text that any version stored.
local LARGEST_BYTES = 32768
local own = redis.call('HGET', members, viewer)
local person = own and parse_chat_member(own)
if not person or person.state == 'left' or person.state == 'gone' then return {'not_member'} end
local fields = redis.call('HMGET', chat, 'last', 'at', 'version', 'name', 'first', 'expiry_days')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local first = math.max(tonumber(fields[5] or 1), person.cleared + 1)
local id = tonumber(fields[1] or 0)
if before ~= '' then id = math.min(id, tonumber(before) - 1) end
if person.state ~= 'open' then
  id = math.min(id, 1)
  fields[4] = false
end
local highest, lowest = id, math.max(first, id - tonumber(max_examined) + 1)

-- Returns the messages of a range that the viewer sees, newest first. It reads none of them.
local function shown_ids(high, low)
  local ids, marks = {}, {}
  for one = high, low, -1 do
    ids[#ids + 1] = string.format('%.0f', one)
    marks[#marks + 1] = viewer .. ':' .. ids[#ids]
  end
  local is_hidden = redis.call('SMISMEMBER', hidden, unpack(marks))
  local expires = redis.call('ZMSCORE', expiring, unpack(ids))
  local shown = {}
  for at, one in ipairs(ids) do
    local is_expired = expires[at] and tonumber(expires[at]) <= now
    if is_hidden[at] == 0 and not is_expired then shown[#shown + 1] = one end
  end
  return shown
end

local found, missing, room = {}, tonumber(count), tonumber(max_bytes)
local portion = missing
while id >= lowest and missing > 0 and room > 0 do
  local low = math.max(lowest, id - portion + 1)
  local shown, at = shown_ids(id, low), 1
  while shown[at] and missing > 0 and room > 0 do
    -- So few that at most three of them exceed the room. Three at once are cheaper than three commands.
    local several = math.min(missing, math.max(3, math.floor(room / LARGEST_BYTES)))
    local last = math.min(#shown, at + several - 1)
    for nth, stored in ipairs(redis.call('HMGET', messages, unpack(shown, at, last))) do
      if stored then
        found[#found + 1] = shown[at + nth - 1]
        found[#found + 1] = stored
        missing, room = missing - 1, room - #stored
      end
    end
    id, at = tonumber(shown[last]) - 1, last + 1
  end
  if not shown[at] then id = low - 1 end
  -- Many hidden messages in a row take few steps.
  portion = portion * 2
end
local next_before = id < first and '' or string.format('%.0f', id + 1)
return {'read', fields, redis.call('HGETALL', members), found, next_before, math.max(highest - id, 0)}
