--[[ store/snapshot/settle_last.lua — brings a person's last id drawn to their newest living status,
     where it is behind that, or beyond what can have been drawn by now.
     KEYS[1] HASH user
     ARGV[1] id of the newest living status, or 0   ARGV[2] the largest id that can be
     Returns 1 settled | 0 it was right, or there is no such person ]]
if redis.call('HEXISTS', KEYS[1], 'login') == 0 then return 0 end
local text = redis.call('HGET', KEYS[1], 'last')
local last = tonumber(text and string.match(text, '^%d+$') or '')
if last and last >= tonumber(ARGV[1]) and last <= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], 'last', ARGV[1])
return 1
