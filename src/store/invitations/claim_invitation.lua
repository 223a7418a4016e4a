--[[ claim_invitation.lua: uses up an invitation for a person who signs up. Until the sign-up is complete, the invitation
     is `claimed:<code>`. If it fails, release_invitation.lua gives that one back, unless it was revoked meanwhile.
     KEYS     invitations (ZSET), invited (ZSET), user (HASH; the inviter)
     ARGV     deadline_ms, code, person
     Returns  'claimed' (by this call or an earlier try) | 'gone' (used, revoked or ended, or the inviter is suspended
              or leaving) ]]
-- include: late, next_score
local invitations, invited, user = unpack(KEYS)
local deadline_ms, code, person = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local score = redis.call('ZSCORE', invited, person)
if score then
  redis.call('ZREM', invited, person)
else
  local ends = redis.call('ZSCORE', invitations, code)
  if not ends or late(ends) then return 'gone' end
  local suspended, leaving = unpack(redis.call('HMGET', user, 'suspended', 'leaving'))
  if suspended or leaving then return 'gone' end
  redis.call('ZREM', invitations, code)
  redis.call('ZADD', invitations, ends, 'claimed:' .. code)
  score = next_score(invited)
end
redis.call('ZADD', invited, score, person)
return 'claimed'
