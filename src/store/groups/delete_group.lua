--[[ delete_group.lua: begins the deletion of a group, by its owner or the host. From now on it does not exist for anyone.
     Its members and posts are removed in passes.
     KEYS     group (HASH), roles (HASH)
     ARGV     deadline_ms, actor (user id, or 'host')
     Returns  'deleted' (by this call or an earlier one) | 'not_found' (no such group, or the person does not own it) ]]
-- flags: allow-oom
-- include: late, rewrite_field
local group, roles = unpack(KEYS)
local deadline_ms, actor = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
if redis.call('HEXISTS', group, 'slug') == 0 then return 'not_found' end
if actor ~= 'host' and redis.call('HGET', roles, actor) ~= 'owner' then return 'not_found' end
rewrite_field(group, 'gone')
if redis.call('HEXISTS', group, 'gone') == 1 then return 'deleted' end
local now = redis.call('TIME')
redis.call('HSET', group, 'gone', string.format('%.0f', now[1] * 1000 + math.floor(now[2] / 1000)))
return 'deleted'
