--[[ store/lists/remove_member.lua — takes a person out of a list: the truth of the list_membership. Whom an
     exclusive list held returns to the owner's home in the same step.
     KEYS[1] HASH lists   KEYS[2] ZSET members   KEYS[3] ZSET excluded
     KEYS[4] ZSET home    KEYS[5] STRING active mark of the home   KEYS[6] ZSET following
     KEYS[7] HASH auth    KEYS[8] ZSET tags, by which posts of anybody come to the home
     ARGV[1] deadline (ms)   ARGV[2] owner id   ARGV[3] number of the list   ARGV[4] whom
     ARGV[5] epoch of the session that asks, or ''
     Returns 1 does not stand in it | 2 and the home was dropped | 0 no such list
             -3 the session is over ]]
-- include: late, session_ended, rewrite_field, is_exclusive, change_exclusion_count, drop_home
if late(ARGV[1]) then return redis.error_reply(LATE) end
if session_ended(KEYS[7], ARGV[5]) then return -3 end
local held = redis.call('HGET', KEYS[1], ARGV[3])
if not held then return 0 end
if redis.call('ZREM', KEYS[2], ARGV[4]) == 0 then
  rewrite_field(KEYS[1], ARGV[3])
  return 1
end
if not is_exclusive(held) then return 1 end
change_exclusion_count(KEYS[3], ARGV[2], ARGV[4], -1)
if not redis.call('ZSCORE', KEYS[6], ARGV[4]) and redis.call('EXISTS', KEYS[8]) == 0 then return 1 end
drop_home(KEYS[4], KEYS[5])
return 2
