--[[ drop_reports.lua: removes the reports that were closed before a time, or one report in any state, and the posts
     and messages that no report names any more.
     KEYS     case (HASH), reports (HASH), open_reports (ZSET), closed_reports (ZSET), reported_posts (HASH)
     ARGV     deadline_ms, closed_before_us, name (or '')
     Returns  'dropped' ]]
-- flags: allow-oom
-- include: late, next_event
local case, reports, open_reports, closed_reports, reported_posts = unpack(KEYS)
local deadline_ms, closed_before_us, name = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local dropped = redis.call('ZRANGE', closed_reports, '-inf', '(' .. closed_before_us, 'BYSCORE')
if name ~= '' then dropped[#dropped + 1] = name end
for _, each in ipairs(dropped) do
  redis.call('HDEL', reports, each)
  redis.call('ZREM', open_reports, each)
  redis.call('ZREM', closed_reports, each)
  -- Each reporter of a message or a group sent another text.
  local reporter, subject = string.match(each, '^(%d+):([%w]+%.%d+)$')
  if subject then redis.call('HDEL', reported_posts, subject .. ':' .. reporter) end
end
local named = {}
for _, each in ipairs(redis.call('HKEYS', reports)) do named[string.match(each, ':([%w.]+)$')] = true end
for _, post in ipairs(redis.call('HKEYS', reported_posts)) do
  if not named[string.match(post, '^[%w.]+')] then redis.call('HDEL', reported_posts, post) end
end
if redis.call('EXISTS', case) == 1 then next_event(case) end
return 'dropped'
