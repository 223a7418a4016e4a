--[[ store/snapshot/release_login.lua — frees a login that names nobody who names it back.
     KEYS[1] STRING login       ARGV[1] what it was found to hold
     Returns 1 freed | 0 it holds something else ]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
return 1
