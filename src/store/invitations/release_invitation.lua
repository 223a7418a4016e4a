--[[ release_invitation.lua: gives an invitation back that a person had claimed, after their sign-up failed. One that
     was revoked meanwhile is not claimed any more, and stays away.
     KEYS     invitations (ZSET), invited (ZSET)
     ARGV     code, end_ms, person
     Returns  'released' ]]
-- flags: allow-oom
local invitations, invited = unpack(KEYS)
local code, end_ms, person = unpack(ARGV)
if redis.call('ZREM', invited, person) == 1 and redis.call('ZREM', invitations, 'claimed:' .. code) == 1 then
  redis.call('ZADD', invitations, end_ms, code)
end
return 'released'
