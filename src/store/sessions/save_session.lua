--[[ store/sessions/save_session.lua — begins a session, if its epoch still holds.
     KEYS[1] STRING session     KEYS[2] ZSET sessions      KEYS[3] HASH auth
     ARGV[1] epoch   ARGV[2] digest   ARGV[3] state   ARGV[4] TTL (s)   ARGV[5] now (ms)
     ARGV[6] how many sessions a person can have
     Returns the digests of the oldest sessions beyond that, unlisted | nil: the epoch is over ]]
if redis.call('HGET', KEYS[3], 'epoch') ~= ARGV[1] then return false end
redis.call('SET', KEYS[1], ARGV[3], 'EX', ARGV[4])
redis.call('ZADD', KEYS[2], ARGV[5], ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[4])
local extra = redis.call('ZCARD', KEYS[2]) - tonumber(ARGV[6])
if extra <= 0 then return {} end
local oldest = redis.call('ZRANGE', KEYS[2], 0, extra - 1)
redis.call('ZREM', KEYS[2], unpack(oldest))
return oldest
