/**
 * Token buckets that all processes share, in Redis, as GCRA (the virtual scheduling form of the leaky
 * bucket of ITU-T I.371): one number a bucket, the time at which it would be full, moved by a script.
 * While Redis is away, each process allows its part of a key's limits.
 */
import { keyOf, type Redis, type Script } from '@braid-swap/feed'
import { createLimiter, type Limiter, type Limits, MOST_OWED, type Taken } from './rateLimiter.js'

/**
 * KEYS: bucket. ARGV: cost (negative to give back), rate in 1/s, burst, '1' if the bucket may owe, and the most that
 * may be used up. Returns whether the cost is allowed, the requests used up after it, and those missing. A bucket that
 * owes more than it can, beyond the rounding of its number, is of a clock that was set back: it counts as used up. What
 * is no number counts as a full bucket, and is replaced.
 */
const TAKE: Script = {
  text: `local t = redis.call('TIME')
local now = t[1] * 1000 + t[2] / 1000
local rate, burst = tonumber(ARGV[2]) / 1000, tonumber(ARGV[3])
local owes, most = ARGV[4] == '1', tonumber(ARGV[5])
local cost = tonumber(ARGV[1])
if not owes then cost = math.min(cost, burst) end
local stored = redis.pcall('GET', KEYS[1])
local full = math.max(type(stored) == 'string' and tonumber(stored) or now, now)
local used = (full - now) * rate
local steppedBack = used > most + rate
if steppedBack then used = burst end
local missing = used + cost - burst
local allowed = owes or missing <= 1e-6
if allowed then used = math.max(0, math.min(used + cost, most)) end
if allowed or steppedBack then
  redis.call('SET', KEYS[1], string.format('%.4f', now + used / rate), 'PX', math.ceil(used / rate) + 1000)
end
return {allowed and 1 or 0, string.format('%.6f', used), string.format('%.6f', missing)}`,
}

/**
 * KEYS: processes. ARGV: id, time after which a silent process is not counted in ms. Nor is one from the future: the clock
 * was set back.
 */
const COUNT_PROCESSES: Script = {
  text: `local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
if redis.call('TYPE', KEYS[1]).ok ~= 'zset' then redis.call('DEL', KEYS[1]) end
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], now + 1, '+inf')
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('ZCARD', KEYS[1])`,
}

/** Time between two counts of the processes. */
const COUNT_MS = 1_000
/** A process that has not counted itself for this time is not counted. */
const SILENT_MS = 5_000
/** Time between two attempts to reach Redis while it is away. */
const RETRY_MS = 500

/** A limiter whose buckets are in Redis. */
export type SharedLimiter = Limiter & {
  /** True if the last bucket was taken from Redis. */
  readonly isShared: () => boolean
  /** Processes that share the limits, as counted last. */
  readonly processes: () => number
}

/** Options of {@link createSharedLimiter}. */
export type SharedLimiterOptions = {
  readonly chainId: number
  /** Name of this process among those that share the limits. */
  readonly process: string
  readonly signal: AbortSignal
  /** A clock in milliseconds that never steps. */
  readonly now: () => number
}

/** Opens the buckets of a chain. */
export function createSharedLimiter(redis: Redis, options: SharedLimiterOptions): SharedLimiter {
  const { chainId, now, signal } = options
  const local = createLimiter(now)
  let processes = 1
  let isShared = true
  let retryAtMs = 0
  const count = async () => {
    const keys = [keyOf(chainId, 'limits:processes')]
    const counted = await redis.run(COUNT_PROCESSES, keys, [options.process, `${SILENT_MS}`])
    processes = Math.max(1, Number(counted))
  }
  const timer = setInterval(() => void count().catch(() => {}), COUNT_MS).unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  void count().catch(() => {})
  const move = async (
    { name, cost, limits, owes = false }: Moved,
    fallBack: () => Taken,
  ): Promise<Taken> => {
    if (!isShared && now() < retryAtMs) return fallBack()
    // Of concurrent requests one tries.
    retryAtMs = now() + RETRY_MS
    const { rate, burst } = limits
    try {
      const most = (1 + MOST_OWED) * burst
      const words = [`${cost}`, `${rate}`, `${burst}`, owes ? '1' : '0', `${most}`]
      const reply = await redis.run(TAKE, [keyOf(chainId, `limits:${name}`)], words)
      isShared = true
      return takenOf(reply as readonly [number, string, string], limits)
    } catch {
      isShared = false
      return fallBack()
    }
  }
  const part = ({ rate, burst }: Limits): Limits => ({
    rate: rate / processes,
    burst: Math.max(1, burst / processes),
  })
  return {
    take: (name, cost, limits) =>
      move({ name, cost, limits }, () => local.take(name, cost, part(limits))),
    giveBack: (name, cost, limits) =>
      move({ name, cost: -cost, limits }, () => local.giveBack(name, cost, part(limits))),
    charge: (name, cost, limits) =>
      move({ name, cost, limits, owes: true }, () => local.charge(name, cost, part(limits))),
    isShared: () => isShared,
    processes: () => processes,
  }
}

/** A movement of a bucket. */
type Moved = {
  readonly name: string
  readonly cost: number
  readonly limits: Limits
  readonly owes?: boolean
}

/** Requests that the script cannot tell from zero. */
const NOTHING = 1e-6

function takenOf(
  [allowed, usedText, missingText]: readonly [number, string, string],
  { rate, burst }: Limits,
): Taken {
  const [used, missing] = [Number(usedText), Number(missingText)]
  return {
    isAllowed: allowed === 1,
    remaining: Math.max(0, Math.floor(burst - used + NOTHING)),
    fullInS: Math.ceil(used / rate - NOTHING),
    retryAfterS: allowed === 1 ? 0 : Math.max(1, Math.ceil(missing / rate - NOTHING)),
  }
}
