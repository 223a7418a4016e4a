--[[ end_decision.lua: takes a decision about a user back, answers an appeal against it, or both in one step.
     KEYS     user (HASH), auth (HASH), channel (of the user), case (HASH), decisions (HASH)
     ARGV     deadline_ms, number (of the decision), measure, not_before_us (older decisions are not taken back),
              ending ('' upholds the decision), answer ('' without an appeal)
     Returns  'ended' (by this call or an earlier one) | 'upheld' | 'too_late' | 'answered' (the appeal has an answer
              already) | 'not_found' (no such decision, no such appeal, or an account that is being deleted) ]]
-- flags: allow-oom
-- include: late, rewrite_field, publish_change, next_event, copy_restriction
local user, auth, channel, case, decisions = unpack(KEYS)
local deadline_ms, number, measure, not_before_us, ending, answer = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local login, leaving = unpack(redis.call('HMGET', user, 'login', 'leaving'))
if not login or leaving == 'deleting' then return 'not_found' end
local decision, ended, appeal, answered =
  unpack(redis.call('HMGET', decisions, number, number .. ':ended', number .. ':appeal', number .. ':answer'))
if not decision or answer ~= '' and not appeal then return 'not_found' end
local function text_of(stored) return string.match(stored or '', '^%d+ (.*)$') end
if answer ~= '' and answered then
  if text_of(answered) ~= answer then return 'answered' end
  rewrite_field(decisions, number .. ':answer')
  return ending == '' and 'upheld' or 'ended'
end
if answer == '' and ended then
  rewrite_field(decisions, number .. ':ended')
  return 'ended'
end
if ending ~= '' and answer == '' and tonumber(number) < tonumber(not_before_us) then return 'too_late' end
local time = next_event(case)
if answer ~= '' then redis.call('HSET', decisions, number .. ':answer', time .. ' ' .. answer) end
redis.call('HINCRBY', case, 'revision', 1)
if ending == '' then return 'upheld' end
if not ended then redis.call('HSET', decisions, number .. ':ended', time .. ' ' .. ending) end
-- The host can suspend an account that is suspended. Then each suspension has to end.
local is_still_suspended = false
if measure == 'suspend' then
  local fields = redis.call('HGETALL', decisions)
  for at = 1, #fields, 2 do
    local other, stored = fields[at], fields[at + 1]
    local is_suspension = string.match(other, '^%d+$') and string.find(stored, '"measure":"suspend"', 1, true)
    if is_suspension and redis.call('HEXISTS', decisions, other .. ':ended') == 0 then is_still_suspended = true end
  end
end
local field = ({limit = 'limited', freeze = 'frozen', suspend = 'suspended'})[measure]
-- A later freeze can be in force. It stays.
local frozen_until = measure == 'freeze' and string.match(decision, '"until_ms":(%d+)')
local has_later_freeze = frozen_until and redis.call('HGET', user, 'frozen') ~= frozen_until
if field and not ended and not is_still_suspended and not has_later_freeze then
  redis.call('HDEL', user, field)
  copy_restriction(user, auth)
  publish_change(channel)
end
return 'ended'
