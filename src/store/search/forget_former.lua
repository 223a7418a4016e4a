--[[ store/search/forget_former.lua — forgets what a status or a person was called before, as nothing
     finds them by that any more.
     KEYS[1] HASH status or user             ARGV[1] what was read there
     Returns 1 forgotten | 0 there is more by now, or nothing ]]
if redis.call('HGET', KEYS[1], 'former') ~= ARGV[1] then return 0 end
return redis.call('HDEL', KEYS[1], 'former')
