--[[ appeal.lua: adds the appeal of a user against a decision. Each decision can be appealed once.
     KEYS     auth (HASH), case (HASH), decisions (HASH)
     ARGV     deadline_ms, session_epoch (or ''), number (of the decision), text
     Returns  'appealed' (by this call or an earlier one) | 'unchanged' (there is another appeal)
              | 'not_found' (no such decision, or it has ended) | 'session_ended' ]]
-- include: late, session_ended, rewrite_field, next_event
local auth, case, decisions = unpack(KEYS)
local deadline_ms, session_epoch, number, text = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
local decision, ended, appeal = unpack(redis.call('HMGET', decisions, number, number .. ':ended', number .. ':appeal'))
if appeal then
  rewrite_field(decisions, number .. ':appeal')
  return string.match(appeal, '^%d+ (.*)$') == text and 'appealed' or 'unchanged'
end
if not decision or ended then return 'not_found' end
redis.call('HSET', decisions, number .. ':appeal', next_event(case) .. ' ' .. text)
return 'appealed'
