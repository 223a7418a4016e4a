--[[ remove_index_entry.lua: removes a status from the index of a tag, the mention index of a user or a group. If
     it was the author's newest status with the tag, the author no longer counts as a user of the tag.
     KEYS     statuses (ZSET), tag_uses (ZSET; only for a tag)
     ARGV     status_id, author_id, epoch_ms (of ids)
     Returns  the number of users who used the tag in the last day; 0 for a mention ]]
-- flags: allow-oom
-- include: set_tag_use
local statuses, tag_uses = unpack(KEYS)
local status_id, author_id, epoch_ms = unpack(ARGV)
redis.call('ZREM', statuses, status_id)
if not tag_uses then return 0 end
return set_tag_use(tag_uses, status_id, author_id, epoch_ms, '0')
