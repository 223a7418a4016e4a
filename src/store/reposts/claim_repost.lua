--[[ store/reposts/claim_repost.lua — says under which id a person reposts a status: draws one above
     their last and above the original's, unless they repost it already.
     KEYS[1] HASH user          KEYS[2] ZSET reposted      KEYS[3] HASH auth
     ARGV[1] deadline (ms)      ARGV[2] id of the original
     ARGV[3] random bits        ARGV[4] epoch of ids (ms)
     ARGV[5] epoch of the session that asks, or ''
     Returns {'drawn', id, login of the person} | {'unknown_author'} | {'session_ended'} ]]
-- include: late, session_ended, rewrite_field, draw_id
if late(ARGV[1]) then return redis.error_reply(LATE) end
if session_ended(KEYS[3], ARGV[5]) then return {'session_ended'} end
local login = redis.call('HGET', KEYS[1], 'login')
if not login then return {'unknown_author'} end
local held = redis.call('ZSCORE', KEYS[2], ARGV[2])
if held then
  rewrite_field(KEYS[1], 'login')
  return {'drawn', string.format('%.0f', -held), login}
end
local id = draw_id(KEYS[1], ARGV[3], ARGV[4], ARGV[2])
redis.call('ZADD', KEYS[2], '-' .. id, ARGV[2])
return {'drawn', id, login}
