--[[ log_act.lua: adds an entry to the log of the administration, and counts it. A call that is sent twice
     adds one entry.
     KEYS     log (ZSET), act_counts (HASH)
     ARGV     deadline_ms, entry, counted (the name of its count, or '' for an act that is not counted), by_reason (the
              name of its count by its reason, or '')
     Returns  'logged' ]]
-- flags: allow-oom
-- include: late, next_score
local log, act_counts = unpack(KEYS)
local deadline_ms, entry, counted, by_reason = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
local score = redis.call('ZSCORE', log, entry)
if score then
  redis.call('ZREM', log, entry)
  redis.call('ZADD', log, score, entry)
  return 'logged'
end
score = next_score(log)
redis.call('ZADD', log, score, entry)
if counted == '' then return 'logged' end
local day = math.floor(tonumber(score) / 86400000000)
-- Converts days since 1970 to a year and month. Years begin in March and are grouped in eras of 400 years, so a leap
-- day is the last day.
local shifted = day + 719468
local era = math.floor(shifted / 146097)
local day_of_era = shifted - era * 146097
local year_of_era = math.floor((day_of_era - math.floor(day_of_era / 1460) + math.floor(day_of_era / 36524)
  - math.floor(day_of_era / 146096)) / 365)
local day_of_year = day_of_era - 365 * year_of_era - math.floor(year_of_era / 4) + math.floor(year_of_era / 100)
local month = math.floor((5 * day_of_year + 2) / 153) + 3
local year = year_of_era + era * 400
if month > 12 then year, month = year + 1, month - 12 end
redis.call('HINCRBY', act_counts, string.format('%.0f:%s', day, counted), 1)
local names = by_reason == '' and {counted} or {counted, by_reason}
for _, name in ipairs(names) do
  redis.call('HINCRBY', act_counts, string.format('%04d-%02d:%s', year, month, name), 1)
end
if redis.call('HGET', act_counts, 'day') == string.format('%.0f', day) then return 'logged' end
redis.call('HSET', act_counts, 'day', string.format('%.0f', day))
local first_month = string.format('%04d-%02d', year - 1, month)
for _, field in ipairs(redis.call('HKEYS', act_counts)) do
  local of_day, of_month = string.match(field, '^(%d+):'), string.match(field, '^(%d+%-%d+):')
  if of_day and tonumber(of_day) < day - 30 or of_month and of_month < first_month then
    redis.call('HDEL', act_counts, field)
  end
end
return 'logged'
