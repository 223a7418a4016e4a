--[[ advance_export.lua: notes a pass of an export. Of two workers that made the same pass, the second changes nothing.
     KEYS     export (HASH)
     ARGV     token, step (number of this pass), stage, before (where the next pass continues, or ''),
              done (number of statuses that are read), bytes (of the archive, or ''), chats (ids of conversations that
              are read), has_new_chats ('1' or '0'), ttl_s
     Returns  'advanced' (by this call or an earlier one) | 'outdated' (another export has begun, or later passes) ]]
local export = KEYS[1]
local token, step, stage, before, done, bytes, chats, has_new_chats, ttl_s = unpack(ARGV)
local found, passes = unpack(redis.call('HMGET', export, 'token', 'step'))
if found ~= token or tonumber(passes) > tonumber(step) + 1 then return 'outdated' end
if tonumber(passes) == tonumber(step) + 1 then return 'advanced' end
local now = redis.call('TIME')
local now_ms = tonumber(now[1]) * 1000 + math.floor(tonumber(now[2]) / 1000)
redis.call('HSET', export, 'step', tonumber(step) + 1, 'stage', stage, 'before', before, 'done', done, 'bytes', bytes,
  'chats', chats, 'has_new_chats', has_new_chats, 'at', string.format('%.0f', now_ms))
redis.call('EXPIRE', export, ttl_s)
return 'advanced'
