/** The Lua functions of the feed. Redis runs each as one step; time is the clock of Redis. */

/** A script and its keys, run by its hash. */
export type Script = { readonly text: string }

const NOW = `local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)`

/**
 * Takes or renews the lease. KEYS: lease. ARGV: holder, time to live in ms. Returns the epoch, or nil
 * while another process holds the lease. A new epoch is at least the time in ms, so one that begins
 * after Redis lost everything is later than any before. A lease that ends later than it can last is free: the clock
 * was set back. So is anything else under its key.
 */
export const TAKE_LEASE: Script = {
  text: `${NOW}
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'hash' and kind ~= 'none' then redis.call('DEL', KEYS[1]) end
local lease = redis.call('HMGET', KEYS[1], 'holder', 'epoch', 'until')
local ends = tonumber(lease[3]) or 0
local epoch = tonumber(lease[2]) or 0
if lease[1] ~= ARGV[1] then
  if ends > now and ends <= now + ARGV[2] then return false end
  epoch = math.max(epoch + 1, now)
end
redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'epoch', string.format('%.0f', epoch),
  'until', string.format('%.0f', now + ARGV[2]))
return epoch`,
}

/** Gives the lease up. KEYS: lease. ARGV: holder. The epoch stays, so that the next one is later. */
export const RELEASE_LEASE: Script = {
  text: `if redis.call('HGET', KEYS[1], 'holder') == ARGV[1] then
  redis.call('HSET', KEYS[1], 'until', '0')
end
return 1`,
}

/**
 * Publishes a change. KEYS: lease, pools, changes, staged records of a whole market. ARGV: holder,
 * epoch, sequence, parent's hash or '' for a whole market, block's hash, head, number of changes to
 * keep, '1' to replace changes that cannot be read too, time to keep all in ms, the time in ms from which the age of
 * the head counts, then key and text of each record; an empty text removes it. Returns 'ok', or what is wrong. A time
 * that is still to come is of a clock that was set back.
 */
export const PUBLISH: Script = {
  text: `${NOW}
local lease = redis.call('HMGET', KEYS[1], 'holder', 'epoch', 'until')
if lease[1] ~= ARGV[1] or lease[2] ~= ARGV[2] or tonumber(lease[3]) <= now then return 'lease' end
if ARGV[8] == '1' then redis.call('DEL', KEYS[3]) end
local last = redis.call('XREVRANGE', KEYS[3], '+', '-', 'COUNT', 1)[1]
local sequence = tonumber(ARGV[3])
local before = 0
if last then before = tonumber(string.match(last[1], '^%d+')) end
if ARGV[4] == '' then
  if sequence <= before then return 'sequence' end
  redis.call('DEL', KEYS[2])
  if redis.call('EXISTS', KEYS[4]) == 1 then
    redis.call('RENAME', KEYS[4], KEYS[2])
    redis.call('PERSIST', KEYS[2])
  end
else
  if not last or sequence ~= before + 1 then return 'sequence' end
  if last[2][2] ~= ARGV[4] then return 'parent' end
end
local lines = {}
for i = 11, #ARGV, 2 do
  if ARGV[i + 1] == '' then
    redis.call('HDEL', KEYS[2], ARGV[i])
  else
    redis.call('HSET', KEYS[2], ARGV[i], ARGV[3] .. ' ' .. ARGV[i + 1])
  end
  lines[#lines + 1] = ARGV[i] .. '\\t' .. ARGV[i + 1]
end
redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[7], ARGV[3] .. '-0', 'block', ARGV[5],
  'at', string.format('%.0f', math.min(now, math.floor(ARGV[10]))), 'head', ARGV[6], 'records', table.concat(lines, '\\n'))
for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], ARGV[9]) end
return 'ok'`,
}
