--[[ pin_status.lua: pins a status of a user to their profile, before those that are pinned already.
     KEYS     user (HASH), auth (HASH), profile (ZSET)
     ARGV     deadline_ms, status_id, max_pinned, session_epoch (or '')
     Returns  'pinned' (by this call or an earlier one) | 'too_many' | 'not_found' (it is not on the profile) |
              'session_ended' ]]
-- include: late, session_ended, rewrite_field
local user, auth, profile = unpack(KEYS)
local deadline_ms, status_id, max_pinned, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
if not redis.call('ZSCORE', profile, status_id) then return 'not_found' end
local pinned = {status_id}
for id in string.gmatch(redis.call('HGET', user, 'pinned') or '', '%S+') do
  if id == status_id then
    rewrite_field(user, 'pinned')
    return 'pinned'
  end
  pinned[#pinned + 1] = id
end
if #pinned > tonumber(max_pinned) then return 'too_many' end
redis.call('HSET', user, 'pinned', table.concat(pinned, ' '))
return 'pinned'
