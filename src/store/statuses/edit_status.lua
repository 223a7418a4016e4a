--[[ store/statuses/edit_status.lua — puts another text in the place of a status's, while its author may:
     the truth of it. What it said before is kept, each as JSON with the time (ms) since when it did, and
     until search has forgotten it.
     KEYS[1] HASH status        KEYS[2] LIST versions
     ARGV[1] deadline (ms)      ARGV[2] who asks (user id)
     ARGV[3] how long after posting one may (ms)           ARGV[4] how often
     ARGV[5] the revision that the new text was made of
     ARGV[6] message            ARGV[7] warning, or ''
     ARGV[8…] field, value, …: what else follows from the text, '' where nothing does
     Returns 1 it says so, by this call or before | 0 not there, or another's, or without a text
             -1 too late | -2 too often | -3 it was changed since that revision ]]
if late(ARGV[1]) then return redis.error_reply(LATE) end
local fields = {'uid', 'deleted', 'reposts', 'posted', 'message', 'warning', 'edited', 'revision'}
local uid, deleted, reposts, posted, message, warning, edited, revision =
  unpack(redis.call('HMGET', KEYS[1], unpack(fields)))
if uid ~= ARGV[2] or deleted or reposts then return 0 end
warning, revision = warning or '', revision or '0'
if message == ARGV[6] and warning == ARGV[7] then
  confirm(KEYS[1], 'message')
  return 1
end
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
if now >= tonumber(posted) + tonumber(ARGV[3]) then return -1 end
if tonumber(revision) >= tonumber(ARGV[4]) then return -2 end
if revision ~= ARGV[5] then return -3 end
local version = {message = message, warning = warning, since = edited or posted}
redis.call('RPUSH', KEYS[2], cjson.encode(version))
keep_former(KEYS[1], message)
redis.call('HSET', KEYS[1], 'message', ARGV[6], 'edited', string.format('%.0f', now), 'revision', revision + 1)
local function set(field, value)
  if value == '' then redis.call('HDEL', KEYS[1], field) else redis.call('HSET', KEYS[1], field, value) end
end
set('warning', ARGV[7])
for at = 8, #ARGV, 2 do set(ARGV[at], ARGV[at + 1]) end
return 1
