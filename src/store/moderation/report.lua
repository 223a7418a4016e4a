--[[ report.lua: adds a report about a user, with the reported post as the reporter saw it. A report that waits already
     is not added again.
     KEYS     user (HASH), case (HASH), reports (HASH), open_reports (ZSET), closed_reports (ZSET),
              reported_posts (HASH)
     ARGV     deadline_ms, name, report, max_open, max_kept, max_posts, post_name ('' without a post), post
     Returns  'reported' (by this call or an earlier one) | 'full' (too many reports about this user)
              | 'unknown_user' ]]
-- include: late, rewrite_field, next_event
local user, case, reports, open_reports, closed_reports, reported_posts = unpack(KEYS)
local deadline_ms, name, report, max_open, max_kept, max_posts, post_name, post = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local login, leaving = unpack(redis.call('HMGET', user, 'login', 'leaving'))
if not login or leaving == 'deleting' then return 'unknown_user' end
if redis.call('ZSCORE', open_reports, name) then
  rewrite_field(reports, name)
  return 'reported'
end
local is_new = redis.call('HEXISTS', reports, name) == 0
if redis.call('ZCARD', open_reports) >= tonumber(max_open) then return 'full' end
if is_new and redis.call('HLEN', reports) >= tonumber(max_kept) then return 'full' end
if post_name ~= '' then
  local is_stored = redis.call('HEXISTS', reported_posts, post_name) == 1
  if not is_stored and redis.call('HLEN', reported_posts) >= tonumber(max_posts) then return 'full' end
  redis.call('HSET', reported_posts, post_name, post)
end
redis.call('HSET', reports, name, report)
redis.call('ZREM', closed_reports, name)
redis.call('ZADD', open_reports, next_event(case), name)
return 'reported'
