--[[ claim_case.lua: gives a moderator the case of a user for some time, or gives it back.
     KEYS     case (HASH)
     ARGV     deadline_ms, by, lease_ms, claim ('claim' | 'release')
     Returns  'done' (by this call or an earlier one) | 'taken' (another moderator has it) | 'nothing' (there is no
              case) ]]
-- include: late, claimant, rewrite_field
local case = KEYS[1]
local deadline_ms, by, lease_ms, claim = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('EXISTS', case) == 0 then return 'nothing' end
local holder = claimant(case, lease_ms)
if holder and holder ~= by then return 'taken' end
if claim == 'release' then
  redis.call('HDEL', case, 'claimed_by', 'claimed')
elseif not holder then
  local now = redis.call('TIME')
  redis.call('HSET', case, 'claimed_by', by, 'claimed', string.format('%.0f', now[1] * 1000 + math.floor(now[2] / 1000)))
end
rewrite_field(case, 'last')
return 'done'
