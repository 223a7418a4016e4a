--[[ reserve_edit.lua: reserves room for an edit of a status in the quota of its author.
     KEYS     profile (ZSET), post_bytes (HASH)
     ARGV     status_id, extra_bytes (that it may then count as, beyond the base), base_bytes (that each
              post counts as), quota_bytes
     Returns  'reserved' | 'over_quota' (nothing is stored) ]]
-- include: reserve_room
local profile, post_bytes = unpack(KEYS)
local status_id, extra_bytes, base_bytes, quota_bytes = unpack(ARGV)
if not reserve_room(profile, post_bytes, status_id, extra_bytes, base_bytes, quota_bytes) then return 'over_quota' end
return 'reserved'
