--[[ remove_member.lua: removes a member from a list, the source of truth. The owner's home may then show a
     member of an exclusive list again, so it is dropped in the same step.
     KEYS     lists (HASH), members (ZSET), excluded (ZSET), home (ZSET), active_mark (STRING),
              following (ZSET), auth (HASH), followed_tags (ZSET), home_groups (ZSET),
              block (ZSET: `blocked` or `blocked_by` of the owner)
     ARGV     deadline_ms, owner_id, list_number, member, session_epoch (or ''), block_member,
              block_score (of the block for which the member is removed, or '')
     Returns  'done' (also if the member stays because the block has ended) | 'home_dropped' (done, and the home was dropped) | 'no_list' | 'session_ended' ]]
-- flags: allow-oom
-- include: late, session_ended, rewrite_field, block_ended, is_exclusive, change_excluded_member
local lists, members, excluded, home, active_mark, following, auth, followed_tags, home_groups, block = unpack(KEYS)
local deadline_ms, owner_id, list_number, member, session_epoch, block_member, block_score = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if session_ended(auth, session_epoch) then return 'session_ended' end
local list = redis.call('HGET', lists, list_number)
if not list then return 'no_list' end
if block_ended(block, block_member, block_score) or redis.call('ZREM', members, member) == 0 then
  rewrite_field(lists, list_number)
  return 'done'
end
local is_dropped = is_exclusive(list)
  and change_excluded_member(excluded, home, active_mark, following, followed_tags, home_groups, owner_id, member, -1)
if is_dropped then return 'home_dropped' end
return 'done'
