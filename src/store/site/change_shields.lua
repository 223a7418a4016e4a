--[[ change_shields.lua: changes the shields of the site.
     KEYS     site (HASH)
     ARGV     deadline_ms, holds_links ('1', or '' for off), site_reports ('off', or '' for on), blocked_words,
              blocked_domains, blocked_addresses (one on each line)
     Returns  'changed' ]]
-- include: late
local site = KEYS[1]
local deadline_ms, holds_links, site_reports, blocked_words, blocked_domains, blocked_addresses = unpack(ARGV)
if late(deadline_ms) then return redis.error_reply(LATE) end
redis.call('HSET', site, 'holds_links', holds_links, 'site_reports', site_reports, 'blocked_words', blocked_words,
  'blocked_domains', blocked_domains, 'blocked_addresses', blocked_addresses)
return 'changed'
