--[[ lists.lua: exclusive lists, and the homes that they change. ]]

-- Changes the number of exclusive lists that contain a member. Owners are never excluded from their home.
local function change_exclusion_count(excluded, owner, member, by)
  if member == owner then return end
  local list_count = redis.call('ZINCRBY', excluded, by, member)
  if tonumber(list_count) <= 0 then redis.call('ZREM', excluded, member) end
end

-- Deletes a home after its sources changed. The next visit rebuilds it.
local function drop_home(home, active_mark)
  redis.call('UNLINK', home)
  redis.call('DEL', active_mark)
end

-- Counts a member of an exclusive list in or out, and drops the owner's home if that changes it. The home
-- has statuses of the member only if the owner follows them or a tag, or has a group there. Returns whether it was
-- dropped.
-- include: change_exclusion_count, drop_home
local function change_excluded_member(excluded, home, active_mark, following, followed_tags, home_groups, owner, member, by)
  change_exclusion_count(excluded, owner, member, by)
  if not redis.call('ZSCORE', following, member) and redis.call('EXISTS', followed_tags, home_groups) == 0 then return false end
  drop_home(home, active_mark)
  return true
end

-- Returns whether a list is exclusive, by its value in the HASH of lists.
local function is_exclusive(list)
  return string.sub(list, 1, 2) == '1:'
end
