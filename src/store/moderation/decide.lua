--[[ decide.lua: writes a decision about a user, with the state of the account that follows from it, and closes the
     reports that the moderator saw. This is the source of truth. A decision that was made with an outdated view of
     the case is refused, so two moderators never act twice.
     KEYS     user (HASH), auth (HASH), channel (of the user), case (HASH), decisions (HASH), open_reports (ZSET),
              closed_reports (ZSET)
     ARGV     deadline_ms, token (of this decision), by (user id, or 'host'), lease_ms,
              revision (of the case, as the moderator saw it; '' for any), seen_us (the newest report that the
              moderator saw; '0' closes none), decision, measure,
              post (status id that it is about, or ''), value (reason of a suspension, or end of a freeze in ms), new_epoch (or ''), max_decisions
     Returns  'decided' (by this call or an earlier one) | 'outdated' | 'claimed' (by another moderator)
              | 'refused' (the account is being deleted, or is in that state already) | 'full' | 'unknown_user' ]]
-- flags: allow-oom
-- include: late, rewrite_field, publish_change, next_event, claimant, copy_restriction
local user, auth, channel, case, decisions, open_reports, closed_reports = unpack(KEYS)
local deadline_ms, token, by, lease_ms, revision, seen_us, decision, measure, post, value, new_epoch, max_decisions = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local login, leaving, suspended, frozen, limited =
  unpack(redis.call('HMGET', user, 'login', 'leaving', 'suspended', 'frozen', 'limited'))
if not login then return 'unknown_user' end
local last_token, last_revision = unpack(redis.call('HMGET', case, 'token', 'revision'))
last_revision = last_revision or '0'
if last_token == token then
  rewrite_field(case, 'token')
  return 'decided'
end
if leaving == 'deleting' then return 'refused' end
if revision ~= '' and revision ~= last_revision then return 'outdated' end
local holder = claimant(case, lease_ms)
if by ~= 'host' and holder and holder ~= by then return 'claimed' end
local now = redis.call('TIME')
local now_ms = now[1] * 1000 + math.floor(now[2] / 1000)
local is_frozen = frozen and tonumber(frozen) > now_ms
local is_repeated = measure == 'freeze' and is_frozen or measure == 'limit' and limited
  -- The host can change the reason of a suspension.
  or measure == 'suspend' and suspended and (by ~= 'host' or suspended == value)
if is_repeated then return 'refused' end
if redis.call('HLEN', decisions) >= tonumber(max_decisions) then return 'full' end
local number = next_event(case)
redis.call('HSET', decisions, number, decision)
redis.call('HSET', case, 'token', token, 'revision', string.format('%.0f', last_revision + 1))
if seen_us ~= '0' then
  for _, name in ipairs(redis.call('ZRANGE', open_reports, '-inf', seen_us, 'BYSCORE')) do
    local held = string.match(name, '^hold:(%d+)$')
    -- A post waits until a moderator decides about it, or dismisses everything.
    if not held or held == post or measure == 'dismiss' then
      redis.call('ZREM', open_reports, name)
      redis.call('ZADD', closed_reports, number, name)
    end
  end
  redis.call('HDEL', case, 'claimed_by', 'claimed')
end
if measure == 'limit' then redis.call('HSET', user, 'limited', '1') end
if measure == 'freeze' then redis.call('HSET', user, 'frozen', value) end
if measure == 'suspend' then redis.call('HSET', user, 'suspended', value) end
if measure == 'freeze' or measure == 'suspend' then copy_restriction(user, auth) end
if new_epoch ~= '' then redis.call('HSET', auth, 'epoch', new_epoch) end
publish_change(channel)
return 'decided'
