--[[ store/lists/delete_list.lua — ends a list: its name goes, and with it its timeline. Its members
     stay until they have all been told (clear_list.lua); whom it kept out returns to the home.
     KEYS[1] HASH lists   KEYS[2] ZSET members   KEYS[3] ZSET excluded
     KEYS[4] ZSET home    KEYS[5] STRING active mark of the home
     KEYS[6] ZSET timeline of the list           KEYS[7] STRING active mark of the list
     KEYS[8] HASH auth
     ARGV[1] deadline (ms)   ARGV[2] owner id   ARGV[3] number of the list
     ARGV[4] epoch of the session that asks, or ''
     Returns 1 deleted | 2 and the home was dropped | 3 had been deleted before | 0 there never was one
             -3 the session is over ]]
-- include: late, session_ended, rewrite_field, is_exclusive, change_exclusion_count, drop_home
if late(ARGV[1]) then return redis.error_reply(LATE) end
if session_ended(KEYS[8], ARGV[4]) then return -3 end
local held = redis.call('HGET', KEYS[1], ARGV[3])
if not held then
  local last = tonumber(redis.call('HGET', KEYS[1], 'last') or 0)
  if tonumber(ARGV[3]) > last then return 0 end
  rewrite_field(KEYS[1], 'last')
  return 3
end
redis.call('HDEL', KEYS[1], ARGV[3])
redis.call('UNLINK', KEYS[6])
redis.call('DEL', KEYS[7])
if not is_exclusive(held) then return 1 end
for _, member in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  change_exclusion_count(KEYS[3], ARGV[2], member, -1)
end
drop_home(KEYS[4], KEYS[5])
return 2
