--[[ read_chat.lua: reads a part of a chat for one of its people: its fields, all people, and messages, newest first.
     Messages that the viewer deleted for themselves and expired ones are left out. Who has not accepted a request sees its
     first message, and no name: the others come when they accept.
     KEYS     chat (HASH), members (HASH), messages (HASH), hidden (SET), expiring (ZSET)
     ARGV     viewer, before (a message, or '' for the newest), count (of messages), max_examined (messages)
     Returns  {'not_member'} (or there is no chat) | {'read', values of last, at, version, name, first, expiry_days,
              members with their values, numbers and stored messages, the message before which the next part
              begins or '' at the end} ]]
-- include: parse_chat_member
local chat, members, messages, hidden, expiring = unpack(KEYS)
local viewer, before, count, max_examined = unpack(ARGV)
local own = redis.call('HGET', members, viewer)
local person = own and parse_chat_member(own)
if not person or person.state == 'left' or person.state == 'gone' then return {'not_member'} end
local fields = redis.call('HMGET', chat, 'last', 'at', 'version', 'name', 'first', 'expiry_days')
local found, wanted = {}, tonumber(count)
local portion = math.max(wanted, 20)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lowest = math.max(tonumber(fields[5] or 1), person.cleared + 1)
local id = tonumber(fields[1] or 0)
if before ~= '' then id = math.min(id, tonumber(before) - 1) end
if person.state ~= 'open' then
  id = math.min(id, 1)
  fields[4] = false
end
lowest = math.max(lowest, id - tonumber(max_examined) + 1)
while id >= lowest and #found < 2 * wanted do
  local ids, marks = {}, {}
  for one = id, math.max(lowest, id - portion), -1 do
    ids[#ids + 1] = string.format('%.0f', one)
    marks[#marks + 1] = viewer .. ':' .. ids[#ids]
  end
  local is_hidden = redis.call('SMISMEMBER', hidden, unpack(marks))
  local expires = redis.call('ZMSCORE', expiring, unpack(ids))
  for at, stored in ipairs(redis.call('HMGET', messages, unpack(ids))) do
    if #found >= 2 * wanted then break end
    id = id - 1
    if is_hidden[at] == 0 and stored and not (expires[at] and tonumber(expires[at]) <= now) then
      found[#found + 1] = ids[at]
      found[#found + 1] = stored
    end
  end
end
local is_end = id < math.max(tonumber(fields[5] or 1), person.cleared + 1)
return {'read', fields, redis.call('HGETALL', members), found, is_end and '' or string.format('%.0f', id + 1)}
