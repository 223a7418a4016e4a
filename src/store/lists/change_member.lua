--[[ change_member.lua: adds a member to a list or removes one, the source of truth. The owner's home excludes
     the members of exclusive lists. If its authors change, it is dropped in the same step.
     KEYS     lists (HASH), members (ZSET), excluded (ZSET), home (ZSET), active_mark (STRING),
              following (ZSET), auth (HASH), followed_tags (ZSET)
     ARGV     deadline_ms, owner_id, list_number, member, change ('1' adds, '-1' removes), limit,
              session_epoch (or '')
     Returns  'done' | 'home_dropped' (done, and the home was dropped) | 'full' | 'no_list' | 'session_ended' ]]
-- include: late, session_ended, rewrite_field, next_score, is_exclusive, change_exclusion_count, drop_home
local lists, members, excluded, home, active_mark, following, auth, followed_tags = unpack(KEYS)
local deadline_ms, owner_id, list_number, member, change, limit, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
local list = redis.call('HGET', lists, list_number)
if not list then return 'no_list' end
local is_member = redis.call('ZSCORE', members, member) and true or false
if is_member == (change == '1') then
  rewrite_field(lists, list_number)
  return 'done'
end
if is_member then
  redis.call('ZREM', members, member)
else
  if redis.call('ZCARD', members) >= tonumber(limit) then return 'full' end
  redis.call('ZADD', members, next_score(members), member)
end
if not is_exclusive(list) then return 'done' end
change_exclusion_count(excluded, owner_id, member, change)
-- The home had statuses of the member only if the owner follows them or a tag.
if not redis.call('ZSCORE', following, member) and redis.call('EXISTS', followed_tags) == 0 then return 'done' end
drop_home(home, active_mark)
return 'home_dropped'
