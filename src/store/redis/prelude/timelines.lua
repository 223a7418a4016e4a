--[[ timelines.lua: active marks and floors of timelines, and the statuses that belong on them. ]]

-- Parses an active mark: its floor, and the token of the rebuild that is under way, if any.
local function parse_mark(mark)
  local token, floor = string.match(mark, '^building:(%x+):(%d+)$')
  if token then return tonumber(floor), token end
  return tonumber(mark)
end

-- Raises the floor in an active mark to a higher one. The mark keeps its token and its TTL.
-- include: parse_mark
local function raise_floor(active_mark, floor)
  local mark = redis.call('GET', active_mark)
  if not mark then return end
  local current, token = parse_mark(mark)
  if floor <= current then return end
  local text = string.format('%.0f', floor)
  if token then text = 'building:' .. token .. ':' .. text end
  redis.call('SET', active_mark, text, 'KEEPTTL')
end

-- Trims a timeline that is 24 over its size, and raises the floor to the last id that is left.
-- include: raise_floor
local function trim_timeline(timeline, active_mark, size)
  if redis.call('ZCARD', timeline) < size + 24 then return end
  redis.call('ZREMRANGEBYRANK', timeline, size, -1)
  local last = redis.call('ZRANGE', timeline, -1, -1)
  raise_floor(active_mark, tonumber(last[1]))
end

-- Formats a final floor: the timeline is short, and another rebuild would find nothing more. The leading
-- 0 says so until the floor rises.
local function format_final_floor(floor)
  return string.format('0%.0f', floor)
end

-- Returns whether a timeline has fewer entries than that above a floor. A timeline that is complete,
-- dormant, being rebuilt, or has a final floor is not short.
-- include: parse_mark
local function is_short(timeline, active_mark, few)
  local mark = redis.call('GET', active_mark)
  if not mark or string.sub(mark, 1, 1) == '0' then return false end
  local _, token = parse_mark(mark)
  return not token and redis.call('ZCARD', timeline) < tonumber(few)
end

-- Parses a status header: the author, the one person that its readers must follow ('' for other readers), the
-- group ('' for none), the authors of the parent that it replies to and of the original that it reposts (each '0' for
-- none), and the tags.
local function parse_header(text)
  local author, followed, group, parent_author, original_author, tags =
    string.match(text, '^(%d+)/?(%d*)@?(%d*) (%d+) (%d+)(.*)$')
  return {author = author, followed = followed, group = group, parent_author = parent_author,
    original_author = original_author, tags = tags}
end

-- The home filters in the order of HomeFilter::ALL, each with whether it hides a status of the person that it is set for.
local home_filters = {
  {name = 'hidden_reposts', hides = function(header) return header.original_author ~= '0' end},
}

-- Names the keys from KEYS[first] that decide which statuses belong on a timeline, in the order of
-- source_keys in sources.rs: the timeline, its sources (followed people, or members of the list) and its
-- active mark; of a home also excluded people, home filters, followed tags and groups. With a header, a filter is
-- there only if it hides such a status, followed tags only for a post with tags and without a group, and groups only
-- for a status in a group. `next` is the index of the key after them.
-- include: home_filters
local function timeline_keys(first, header)
  local keys = {timeline = KEYS[first], sources = KEYS[first + 1], active_mark = KEYS[first + 2], next = first + 3}
  local function take(name, is_there)
    if is_there then keys[name], keys.next = KEYS[keys.next], keys.next + 1 end
  end
  if string.sub(keys.timeline, 1, 5) == 'home:' then
    take('excluded', true)
    for _, filter in ipairs(home_filters) do take(filter.name, not header or filter.hides(header)) end
    take('followed_tags', not header or header.tags ~= '' and header.parent_author == '0'
      and header.original_author == '0' and header.group == '')
    take('groups', not header or header.group ~= '')
  end
  return keys
end

-- Returns whether a home filter hides a status.
-- include: home_filters
local function is_filtered(keys, header)
  for _, filter in ipairs(home_filters) do
    local key = keys[filter.name]
    if key and filter.hides(header) and redis.call('ZSCORE', key, header.author) then return true end
  end
  return false
end

-- Returns whether a status with this header belongs on a timeline, as domain::Sources::belongs defines it.
-- A list has only sources.
-- include: is_filtered
local function belongs(keys, header)
  local author, parent_author, original_author = header.author, header.parent_author, header.original_author
  local owner = string.match(keys.timeline, '{(%d+)')
  if keys.excluded then
    if author == owner then return true end
    if redis.call('ZSCORE', keys.excluded, author) then return false end
  end
  if header.group ~= '' then
    if not keys.groups or parent_author ~= '0' or original_author ~= '0' then return false end
    local is_reached = header.followed == '' or redis.call('ZSCORE', keys.sources, header.followed)
    return is_reached and redis.call('ZSCORE', keys.groups, header.group) or false
  end
  if keys.excluded then
    local followed = header.followed
    local is_reached = followed == '' or followed == owner or followed == author or followed == parent_author
    if not is_reached then return false end
  end
  if original_author == owner then return false end
  if redis.call('ZSCORE', keys.sources, author)
    and (parent_author == '0' or parent_author == owner or parent_author == author
      or redis.call('ZSCORE', keys.sources, parent_author))
    and not is_filtered(keys, header) then
    return true
  end
  if not keys.followed_tags or header.tags == '' or header.followed ~= '' then return false end
  if parent_author ~= '0' or original_author ~= '0' then return false end
  local tags = {}
  for tag in string.gmatch(header.tags, '%S+') do tags[#tags + 1] = tag end
  for _, since in ipairs(redis.call('ZMSCORE', keys.followed_tags, unpack(tags))) do
    if since then return true end
  end
  return false
end

-- Returns whether the statuses of a person, a tag or a group ('@' and its id) come to a timeline, unless another rule
-- excludes them.
local function is_source(keys, source)
  local group = string.match(source, '^@(%d+)$')
  if group then return keys.groups and redis.call('ZSCORE', keys.groups, group) end
  return redis.call('ZSCORE', keys.sources, source) and not (keys.excluded and redis.call('ZSCORE', keys.excluded, source))
    or keys.followed_tags and redis.call('ZSCORE', keys.followed_tags, source)
end
