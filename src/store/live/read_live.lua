--[[ read_live.lua: reads the state that an open stream shows on its page, if its session is still valid:
     the statuses that arrived on the home since the page was made and are still there, none by muted or
     blocked people, the counts beside the home, and the unread notifications. A reader who mutes texts also
     gets the ids of these statuses, because only their texts say which are muted. It keeps the log of arrivals
     alive. If the log does not reach back to the page, it counts the statuses of others that were written
     since.
     KEYS     arrivals (STREAM), home (ZSET), active_mark (STRING), profile (ZSET, of the owner),
              user (HASH), session (STRING), auth (HASH), notifications (ZSET), read_marker (HASH),
              muted (ZSET), blocked (ZSET), blocked_by (ZSET), muted_texts (ZSET),
              unread_chats (HASH)
     ARGV     session_epoch, epoch_ms (of ids),
              since_ms ('' for a page without a home), since_number (with since_ms: the last arrival that
              the page includes)
     Returns  {'session_ended'} | {'counts', {posts, followers, following, unread notifications, unread
              conversations}} (of a
              page without a home, while the home is being rebuilt, and where Redis takes no writes)
              | {'exactly', counts, last arrival, number of new statuses, their ids (absent without muted texts)}
              | {'about', counts, last arrival, number of new statuses} ]]
-- include: unread_count, watch_arrivals, is_unheard
local arrivals, home, active_mark, profile, user, session, auth, notifications, read_marker, muted, blocked, blocked_by, muted_texts, unread_chats = unpack(KEYS)
local session_epoch, epoch_ms, since_ms, since_number = unpack(ARGV)
if redis.call('EXISTS', session) == 0 then return {'session_ended'} end
if redis.call('HGET', auth, 'epoch') ~= session_epoch then return {'session_ended'} end
local counts = redis.call('HMGET', user, 'posts', 'followers', 'following')
counts[4], counts[5] = unread_count(notifications, read_marker), redis.call('HLEN', unread_chats)
local last = watch_arrivals(arrivals)
local mark = redis.call('GET', active_mark) or ''
if since_ms == '' or not last or string.find(mark, 'building:', 1, true) then return {'counts', counts} end

-- The log holds all arrivals since the page if the page includes one of its entries, or if the arrival
-- that the page includes is between two of them.
local since = {tonumber(since_ms), tonumber(since_number)}
local function is_at_most(entry, other)
  local ms, number = string.match(entry, '^(%d+)-(%d+)$')
  ms, number = tonumber(ms), tonumber(number)
  return ms < other[1] or ms == other[1] and number <= other[2]
end
local first = redis.call('XRANGE', arrivals, '-', '+', 'COUNT', 1)[1][1]
local from = since_ms .. '-' .. since_number
if mark ~= '' and is_at_most(first, since) and (last == from or not is_at_most(last, since)) then
  local ids, is_listed = {}, {}
  for _, entry in ipairs(redis.call('XRANGE', arrivals, '(' .. from, '+')) do
    local id, authors = entry[2][2], entry[2][4] or ''
    for author in string.gmatch(authors, '%d+') do
      if is_unheard(muted, blocked, blocked_by, author) then is_listed[id] = true end
    end
    if not is_listed[id] then ids[#ids + 1] = id end
    is_listed[id] = true
  end
  local new = {}
  if #ids > 0 then
    for i, score in ipairs(redis.call('ZMSCORE', home, unpack(ids))) do
      if score then new[#new + 1] = ids[i] end
    end
  end
  return {'exactly', counts, last, #new, redis.call('EXISTS', muted_texts) == 1 and new or nil}
end

local since_id = string.format('(-%.0f', math.max((since[1] - tonumber(epoch_ms)) * 4096, 0))
if since[1] == 0 then return {'about', counts, last, 0} end
local written = redis.call('ZCOUNT', home, '-inf', since_id)
  - redis.call('ZCOUNT', profile, '-inf', since_id)
return {'about', counts, last, math.max(written, 0)}
