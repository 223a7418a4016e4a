--[[ note_report.lua: notes in the slot of a user that they report a person.
     KEYS     auth (HASH), own_reports (ZSET)
     ARGV     deadline_ms, session_epoch (or ''), member, max_reports
     Returns  'noted' (by this call or an earlier one) | 'full' | 'session_ended' ]]
-- include: late, session_ended, next_score
local auth, own_reports = unpack(KEYS)
local deadline_ms, session_epoch, member, max_reports = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
if redis.call('ZSCORE', own_reports, member) then
  redis.call('ZREM', own_reports, member)
elseif redis.call('ZCARD', own_reports) >= tonumber(max_reports) then
  return 'full'
end
redis.call('ZADD', own_reports, next_score(own_reports), member)
return 'noted'
