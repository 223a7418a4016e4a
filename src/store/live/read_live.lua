--[[ read_live.lua: reads the state that the open streams of a user show on their pages, each if its session is still
     valid: the statuses that arrived on the home since the page was made and are still there, none by muted or
     blocked people, the counts beside the home, and the unread notifications. The script reads once what all streams share.
     For a reader who mutes texts it also returns the ids of these statuses, because only their texts say which are
     muted. It keeps the log of arrivals alive. If the log does not reach back to a page, it counts the statuses of
     others that were written since.
     KEYS     arrivals (STREAM), home (ZSET), active_mark (STRING), profile (ZSET, of the owner),
              user (HASH), auth (HASH), notifications (ZSET), read_marker (HASH),
              muted (ZSET), blocked (ZSET), blocked_by (ZSET), muted_texts (ZSET),
              unread_chats (HASH), then session (STRING), … (of each stream)
     ARGV     epoch_ms (of ids), then for each stream: session_epoch, since_ms ('' for a page without a home),
              since_number (with since_ms: the last arrival that the page includes), …
     Returns  {counts, ids, last arrival, state, …}: {posts, followers, following, unread notifications, unread
              conversations} ({} if all sessions have ended), the ids of new statuses, newest first ({} without muted
              texts), the last arrival ('' if none is known), and for each stream {'session_ended', 0} |
              {'counts', 0} (of a page without a home, while the home is being rebuilt, and where Redis takes no
              writes) | {'exactly', number of new statuses} | {'about', number of new statuses} ]]
-- include: unread_count, watch_arrivals, muted_or_blocked_among, scores_of
local arrivals, home, active_mark, profile, user, auth, notifications, read_marker, muted, blocked, blocked_by, muted_texts, unread_chats = unpack(KEYS)
local epoch_ms = ARGV[1]
local FIRST_SESSION = 14

-- Returns whether a position in the log is after that of a stream.
local function is_after(ms, number, since)
  return ms > since.ms or ms == since.ms and number > since.number
end
local function position(entry)
  local ms, number = string.match(entry, '^(%d+)-(%d+)$')
  return tonumber(ms), tonumber(number)
end

-- The states of a stream.
local function ended() return {'session_ended', 0} end
local function without_arrivals() return {'counts', 0} end
local function with_arrivals(new) return {'exactly', new} end
local function with_estimate(new) return {'about', new} end

local epoch, streams, states, is_any_valid = redis.call('HGET', auth, 'epoch'), {}, {}, false
for nth = 1, #KEYS - FIRST_SESSION + 1 do
  local session_epoch, ms, number = unpack(ARGV, 3 * nth - 1, 3 * nth + 1)
  if redis.call('EXISTS', KEYS[FIRST_SESSION + nth - 1]) == 0 or epoch ~= session_epoch then
    states[nth] = ended()
  else
    states[nth], is_any_valid = without_arrivals(), true
    if ms ~= '' then
      streams[#streams + 1] = {nth = nth, ms = tonumber(ms), number = tonumber(number), entry = ms .. '-' .. number}
    end
  end
end
if not is_any_valid then return {{}, {}, '', unpack(states)} end
local counts = redis.call('HMGET', user, 'posts', 'followers', 'following')
counts[4], counts[5] = unread_count(notifications, read_marker), redis.call('HLEN', unread_chats)
local last = watch_arrivals(arrivals)
local mark = redis.call('GET', active_mark) or ''
if #streams == 0 or not last or string.find(mark, 'building:', 1, true) then
  return {counts, {}, last or '', unpack(states)}
end

-- The log holds all arrivals since the page if the page includes one of its entries, or if the arrival
-- that the page includes is between two of them.
local first_ms, first_number = position(redis.call('XRANGE', arrivals, '-', '+', 'COUNT', 1)[1][1])
local last_ms, last_number = position(last)
local exact, about = {}, {}
for _, stream in ipairs(streams) do
  local is_within = not is_after(first_ms, first_number, stream) and
    (stream.entry == last or is_after(last_ms, last_number, stream))
  local group = mark ~= '' and is_within and exact or about
  group[#group + 1] = stream
end

-- Newest first, so that the new statuses of each stream are the first of all.
table.sort(exact, function(one, other) return is_after(one.ms, one.number, other) end)
local new = {}
if #exact > 0 then
  local entries = redis.call('XREVRANGE', arrivals, '+', '(' .. exact[#exact].entry)
  local people, ids = {}, {}
  for _, entry in ipairs(entries) do
    ids[#ids + 1] = entry[2][2]
    for author in string.gmatch(entry[2][4] or '', '%d+') do people[#people + 1] = author end
  end
  local left_out = muted_or_blocked_among(muted, blocked, blocked_by, people)
  local home_scores = scores_of(home, ids)
  local is_listed, next_stream = {}, 1
  local function answer_up_to(ms, number)
    while exact[next_stream] and not (ms and is_after(ms, number, exact[next_stream])) do
      states[exact[next_stream].nth] = with_arrivals(#new)
      next_stream = next_stream + 1
    end
  end
  for nth, entry in ipairs(entries) do
    answer_up_to(position(entry[1]))
    local id, is_left_out = ids[nth], not home_scores[nth]
    for author in string.gmatch(entry[2][4] or '', '%d+') do
      is_left_out = is_left_out or left_out[author]
    end
    if not is_left_out and not is_listed[id] then
      is_listed[id], new[#new + 1] = true, id
    end
  end
  answer_up_to(nil)
end

for _, stream in ipairs(about) do
  local written = 0
  if stream.ms > 0 then
    local since_id = string.format('(-%.0f', math.max((stream.ms - tonumber(epoch_ms)) * 4096, 0))
    written = redis.call('ZCOUNT', home, '-inf', since_id) - redis.call('ZCOUNT', profile, '-inf', since_id)
  end
  states[stream.nth] = with_estimate(math.max(written, 0))
end
return {counts, redis.call('EXISTS', muted_texts) == 1 and new or {}, last, unpack(states)}
