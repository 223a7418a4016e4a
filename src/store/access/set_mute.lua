--[[ set_mute.lua: mutes a person, or a word, phrase or tag, for a time, or lifts the mute. Mutes that have ended
     do not count, and are removed unless the clock may be wrong. The score of a mute is its end (µs), which no other mute
     in the same key has. It works with full memory, because a mute keeps others away. The number of mutes and the bytes
     of muted texts are limited.
     KEYS     muted (ZSET), user (HASH), auth (HASH), arrivals (STREAM), channel (of the user)
     ARGV     deadline_ms, member, limit, session_epoch (or ''), term_us (0 lifts the mute), max_bytes (of all members, or 0),
              removable_us (mutes that ended later stay)
     Returns  'set' | 'too_many' | 'not_found' (no such user) | 'session_ended' ]]
-- flags: allow-oom
-- include: late, session_ended, rewrite_field, notify_watchers
local muted, user, auth, arrivals, channel = unpack(KEYS)
local deadline_ms, member, limit, session_epoch, term_us, max_bytes, removable_us = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
if redis.call('HEXISTS', user, 'login') == 0 then return 'not_found' end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local removable = math.min(now, tonumber(removable_us))
redis.call('ZREMRANGEBYSCORE', muted, '-inf', string.format('%.0f', removable))
local after_now = '(' .. string.format('%.0f', now)
if term_us == '0' then
  redis.call('ZREM', muted, member)
else
  local own_end = redis.call('ZSCORE', muted, member)
  if not own_end or tonumber(own_end) <= now then
    if redis.call('ZCOUNT', muted, after_now, '+inf') >= tonumber(limit) then return 'too_many' end
    if max_bytes ~= '0' then
      local all = table.concat(redis.call('ZRANGE', muted, after_now, '+inf', 'BYSCORE')) .. member
      if #all > tonumber(max_bytes) then return 'too_many' end
    end
  end
  local ends = now + tonumber(term_us)
  local score = string.format('%.0f', ends)
  while redis.call('ZCOUNT', muted, score, score) > 0 do
    ends = ends + 1
    score = string.format('%.0f', ends)
  end
  redis.call('ZADD', muted, score, member)
end
rewrite_field(user, 'login')
notify_watchers(arrivals, channel)
return 'set'
