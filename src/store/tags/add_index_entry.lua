--[[ add_index_entry.lua: adds a status to the index of a tag, and counts its author as a user of the tag, or no longer.
     KEYS     statuses (ZSET), tag_uses (ZSET)
     ARGV     deadline_ms, status_id, author_id, epoch_ms (of ids), is_used (1, or 0 if it does not count)
     Returns  the number of users who used the tag in the last day ]]
-- include: late, set_tag_use
local statuses, tag_uses = unpack(KEYS)
local deadline_ms, status_id, author_id, epoch_ms, is_used = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
redis.call('ZADD', statuses, '-' .. status_id, status_id)
return set_tag_use(tag_uses, status_id, author_id, epoch_ms, is_used)
