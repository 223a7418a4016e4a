--[[ claim_repost.lua: claims an id for the repost of a status, without a comment. Draws an id above the user's
     last id and above the original. A user who has reposted the status gets the id of that repost.
     KEYS     user (HASH), own_reposts (ZSET), auth (HASH), profile (ZSET), post_bytes (HASH)
     ARGV     deadline_ms, original_id, random_bits, epoch_ms (of ids), session_epoch (or ''),
              base_bytes (that each status counts as), quota_bytes, age_ms (of the repost: 0 unless it is dated back)
     Returns  {'drawn', id, login of the user, '1' if the account is private} | {'unknown_author'} | {'session_ended'}
              | {'over_quota'} (nothing is claimed) ]]
-- include: late, session_ended, rewrite_field, draw_id, reserve_room
local user, own_reposts, auth, profile, post_bytes = unpack(KEYS)
local deadline_ms, original_id, random_bits, epoch_ms, session_epoch, base_bytes, quota_bytes, age_ms = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return {'session_ended'} end
local login, private = unpack(redis.call('HMGET', user, 'login', 'private'))
if not login then return {'unknown_author'} end
local claimed = redis.call('ZSCORE', own_reposts, original_id)
if claimed then
  rewrite_field(user, 'login')
  return {'drawn', string.format('%.0f', -claimed), login, private or nil}
end
local id = draw_id(user, random_bits, epoch_ms, original_id, age_ms)
if not reserve_room(profile, post_bytes, id, '0', base_bytes, quota_bytes) then return {'over_quota'} end
redis.call('ZADD', own_reposts, '-' .. id, original_id)
return {'drawn', id, login, private or nil}
