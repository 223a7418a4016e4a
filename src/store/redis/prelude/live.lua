--[[ live.lua: the log of arrivals of a home, which open pages follow. ]]

-- Publishes a change only if the home was read or watched recently.
-- include: publish_change
local function notify_watchers(arrivals, channel)
  if redis.call('EXISTS', arrivals) == 1 then publish_change(channel) end
end

-- The log of arrivals expires this long after its home was read or watched (s), and has this length.
local WATCHED_S, ARRIVALS_KEPT = 3600, 200

-- Adds a status to the log of arrivals of a home and publishes the change, if the home is watched. The
-- authors are those of the status and of the original that it reposts, '0' for none.
-- include: publish_change, ARRIVALS_KEPT
local function log_arrival(arrivals, channel, id, authors)
  if redis.call('EXISTS', arrivals) == 0 then return end
  redis.call('XADD', arrivals, 'MAXLEN', ARRIVALS_KEPT, '*', 'status', id, 'authors', authors)
  publish_change(channel)
end

-- Keeps the log of arrivals alive and returns the id of its last entry. A page that reads the home in
-- the same step is complete up to this entry. A new log begins with an entry that is no arrival.
-- Returns false if there is no log and Redis takes no writes.
-- include: WATCHED_S
local function watch_arrivals(arrivals)
  local last = redis.call('XREVRANGE', arrivals, '+', '-', 'COUNT', 1)[1]
  if last then
    if redis.call('TTL', arrivals) < WATCHED_S / 2 then redis.pcall('EXPIRE', arrivals, WATCHED_S) end
    return last[1]
  end
  local first = redis.pcall('XADD', arrivals, '*', 'begun', 1)
  if type(first) == 'table' then return false end
  redis.call('EXPIRE', arrivals, WATCHED_S)
  return first
end
