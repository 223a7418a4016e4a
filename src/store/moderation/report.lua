--[[ report.lua: adds a report about a user, with the reported post or messages as the reporter saw them. A report that waits already
     is not added again. Without room, the oldest closed reports are removed. So do posts: those without an open report
     first, then those whose reporters made the site keep the most bytes. So no one pushes out the post that another
     person reported. The messages and groups of each reporter count for that reporter alone, and are removed with the report.
     KEYS     user (HASH), case (HASH), reports (HASH), open_reports (ZSET), closed_reports (ZSET),
              reported_posts (HASH)
     ARGV     deadline_ms, name (<reporter>:<subject>; the reporter is a user id, or a word for the site), report, max_open, max_of_reporter (open reports of one reporter), max_kept, max_posts,
              max_bytes (of all posts), post_name (<subject>:<number>, '' without a post), post
     Returns  'reported' (by this call or an earlier one) | 'waiting' (too many open reports of this reporter)
              | 'full' (too many open reports about this user) | 'unknown_user' ]]
-- include: late, rewrite_field, next_event
local user, case, reports, open_reports, closed_reports, reported_posts = unpack(KEYS)
local deadline_ms, name, report, max_open, max_of_reporter, max_kept, max_posts, max_bytes, post_name, post = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local login, leaving = unpack(redis.call('HMGET', user, 'login', 'leaving'))
if not login or leaving == 'deleting' then return 'unknown_user' end
if redis.call('ZSCORE', open_reports, name) then
  rewrite_field(reports, name)
  return 'reported'
end
local open = redis.call('ZRANGE', open_reports, 0, -1)
local reporter, of_reporter = string.match(name, '^%w+:'), 0
for _, each in ipairs(open) do
  if string.sub(each, 1, #reporter) == reporter then of_reporter = of_reporter + 1 end
end
if of_reporter >= tonumber(max_of_reporter) then return 'waiting' end
if #open >= tonumber(max_open) then return 'full' end
redis.call('HSET', reports, name, report)
redis.call('ZREM', closed_reports, name)
redis.call('ZADD', open_reports, next_event(case), name)
-- A post is kept once for all its reporters. A later report of the same revision can have fewer versions.
local is_post = not string.find(post_name, '.', 1, true)
if post_name ~= '' then redis.call(is_post and 'HSETNX' or 'HSET', reported_posts, post_name, post) end
local over = redis.call('HLEN', reports) - tonumber(max_kept)
for _, each in ipairs(over > 0 and redis.call('ZRANGE', closed_reports, 0, over - 1) or {}) do
  redis.call('HDEL', reports, each)
  redis.call('ZREM', closed_reports, each)
end
-- Each reporter of a message or a group sent another text.
local function text_of_report(each)
  local by, subject = string.match(each, '^(%w+):([%w.]+)$')
  return string.find(subject, '.', 1, true) and subject .. ':' .. by or subject, by
end
local place, places = 0, {}
open[#open + 1] = name
for _, names in ipairs({redis.call('ZRANGE', closed_reports, 0, -1), open}) do
  for _, each in ipairs(names) do
    place = place + 1
    places[text_of_report(each)] = place
  end
end
local posts, bytes, bytes_of_text = {}, 0, {}
for _, each in ipairs(redis.call('HKEYS', reported_posts)) do
  local subject, revision = string.match(each, '^([%w.]+):(%d+)$')
  local text = string.find(subject, '.', 1, true) and each or subject
  local size = redis.call('HSTRLEN', reported_posts, each)
  posts[#posts + 1] = {name = each, text = text, place = places[text] or 0, revision = tonumber(revision), size = size}
  bytes = bytes + size
  bytes_of_text[text] = (bytes_of_text[text] or 0) + size
end
local bytes_of_reporter, share = {}, {}
for _, each in ipairs(open) do
  local text, by = text_of_report(each)
  bytes_of_reporter[by] = (bytes_of_reporter[by] or 0) + (bytes_of_text[text] or 0)
end
-- Several people can report a post. It counts for the one of them with the fewest bytes.
for _, each in ipairs(open) do
  local text, by = text_of_report(each)
  share[text] = math.min(share[text] or math.huge, bytes_of_reporter[by])
end
table.sort(posts, function(one, other)
  local of_one, of_other = share[one.text] or math.huge, share[other.text] or math.huge
  if of_one ~= of_other then return of_one > of_other end
  if one.place ~= other.place then return one.place < other.place end
  return one.revision < other.revision
end)
local count = #posts
for _, each in ipairs(posts) do
  if each.place > 0 and count <= tonumber(max_posts) and bytes <= tonumber(max_bytes) then break end
  redis.call('HDEL', reported_posts, each.name)
  count, bytes = count - 1, bytes - each.size
end
return 'reported'
