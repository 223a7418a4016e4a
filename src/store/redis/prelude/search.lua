--[[ search.lua: the index of words. ]]

-- Returns the lower bound of the chunk of postings to which an id belongs.
local function chunk_bound(bounds, id)
  return redis.call('ZRANGE', bounds, '-' .. id, '+inf', 'BYSCORE', 'LIMIT', 0, 1)[1] or '0'
end

-- Keeps a former text or name, which search still finds until the index has changed.
local function keep_former(key, text)
  local former = redis.call('HGET', key, 'former')
  redis.call('HSET', key, 'former', former and text .. '\n' .. former or text)
end

-- Removes the bound of a chunk that is empty. Its range then belongs to the chunk below. Returns the
-- number of removed bounds.
local function drop_bound(bounds, chunk, bound)
  if bound == '0' or redis.call('EXISTS', chunk) == 1 then return 0 end
  local dropped = redis.call('ZREM', bounds, bound)
  if redis.call('ZCARD', bounds) == 1 then redis.call('ZREM', bounds, '0') end
  return dropped
end
