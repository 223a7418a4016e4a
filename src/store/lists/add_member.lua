--[[ add_member.lua: adds a member to a list, the source of truth. The owner's home excludes the members of
     exclusive lists. If its authors change, it is dropped in the same step.
     KEYS     lists (HASH), members (ZSET), excluded (ZSET), home (ZSET), active_mark (STRING),
              following (ZSET), auth (HASH), followed_tags (ZSET), home_groups (ZSET), blocked (ZSET),
              blocked_by (ZSET)
     ARGV     deadline_ms, owner_id, list_number, member, limit, session_epoch (or '')
     Returns  'done' | 'home_dropped' (done, and the home was dropped) | 'full' | 'no_list'
              | 'blocked' (one of owner and member blocks the other) | 'session_ended' ]]
-- include: late, session_ended, rewrite_field, next_score, is_exclusive, change_excluded_member, is_blocked_either_way
local lists, members, excluded, home, active_mark, following, auth, followed_tags, home_groups, blocked, blocked_by = unpack(KEYS)
local deadline_ms, owner_id, list_number, member, limit, session_epoch = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
local list = redis.call('HGET', lists, list_number)
if not list then return 'no_list' end
if redis.call('ZSCORE', members, member) then
  rewrite_field(lists, list_number)
  return 'done'
end
if is_blocked_either_way(blocked, blocked_by, member) then return 'blocked' end
if redis.call('ZCARD', members) >= tonumber(limit) then return 'full' end
redis.call('ZADD', members, next_score(members), member)
local is_dropped = is_exclusive(list)
  and change_excluded_member(excluded, home, active_mark, following, followed_tags, home_groups, owner_id, member, 1)
if is_dropped then return 'home_dropped' end
return 'done'
