--[[ store/search/drop_posting.lua — takes out of a chunk what does not belong into it, and the chunk's
     bound where nothing is left.
     KEYS[1] ZSET bounds of the chunks       KEYS[2] SET chunk
     ARGV[1] lower bound of the chunk        ARGV[2…] what goes
     Returns how much changed ]]
local gone = 0
for i = 2, #ARGV do gone = gone + redis.call('SREM', KEYS[2], ARGV[i]) end
return gone + drop_bound(KEYS[1], KEYS[2], ARGV[1])
