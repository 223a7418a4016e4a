--[[ read_group.lua: reads a group, and the tie of a person to it, in one step.
     KEYS     group (HASH), members (ZSET), roles (HASH), home (ZSET), notified (ZSET), muted (ZSET), banned (ZSET),
              requests (ZSET), invited (ZSET), inviters (HASH)
     ARGV     person (or ''), then fields
     Returns  {values of the fields, the tie of the person (see the prelude)} ]]
-- include: group_tie
local group, members, roles, home, notified, muted, banned, requests, invited, inviters = unpack(KEYS)
local person = ARGV[1]
local keys = {group = group, members = members, roles = roles, home = home, notified = notified, muted = muted,
  banned = banned, requests = requests, invited = invited, inviters = inviters}
return {redis.call('HMGET', group, unpack(ARGV, 2)), group_tie(keys, person)}
