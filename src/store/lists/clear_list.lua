--[[ store/lists/clear_list.lua — forgets who stood in a list that was deleted.
     KEYS[1] HASH lists   KEYS[2] ZSET members   ARGV[1] number of the list
     Returns 1 forgotten | 0 the list is there ]]
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 0 end
redis.call('UNLINK', KEYS[2])
return 1
