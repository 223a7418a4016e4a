--[[ store/lists/edit_list.lua — names a list, and says whether it is exclusive: then the owner's
     home leaves its members out.
     KEYS[1] HASH lists   KEYS[2] ZSET members   KEYS[3] ZSET excluded
     KEYS[4] ZSET home    KEYS[5] STRING active mark of the home   KEYS[6] HASH auth
     ARGV[1] deadline (ms)   ARGV[2] owner id   ARGV[3] number of the list   ARGV[4] name
     ARGV[5] '1' exclusive | '0' not   ARGV[6] epoch of the session that asks, or ''
     Returns 1 changed | 2 and the home was dropped | 0 no such list | -3 the session is over ]]
-- include: late, session_ended, is_exclusive, change_exclusion_count, drop_home
if late(ARGV[1]) then return redis.error_reply(LATE) end
if session_ended(KEYS[6], ARGV[6]) then return -3 end
local held = redis.call('HGET', KEYS[1], ARGV[3])
if not held then return 0 end
redis.call('HSET', KEYS[1], ARGV[3], ARGV[5] .. ':' .. ARGV[4])
if is_exclusive(held) == (ARGV[5] == '1') then return 1 end
local by = ARGV[5] == '1' and 1 or -1
for _, member in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  change_exclusion_count(KEYS[3], ARGV[2], member, by)
end
drop_home(KEYS[4], KEYS[5])
return 2
