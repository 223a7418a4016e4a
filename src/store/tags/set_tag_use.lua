--[[ set_tag_use.lua: counts the author of a status as a user of a tag, or no longer. The index of the tag stays as
     it is.
     KEYS     tag_uses (ZSET)
     ARGV     deadline_ms, status_id, author_id, epoch_ms (of ids), is_used (1, or 0 if it does not count)
     Returns  the number of users who used the tag in the last day ]]
-- include: late, set_tag_use
local tag_uses = KEYS[1]
local deadline_ms, status_id, author_id, epoch_ms, is_used = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
return set_tag_use(tag_uses, status_id, author_id, epoch_ms, is_used)
