// Buckets of requests; `admission/limit.ts` decides what a request costs, `admission/asker.ts` what else is charged.

/** Limits of a token bucket: capacity `burst` requests, refilled at `rate` requests per second. */
export type Limits = { readonly rate: number; readonly burst: number }

/** The result of taking from a bucket. */
export type Taken = {
  readonly isAllowed: boolean
  /** Whole requests of cost 1 that are still allowed now. */
  readonly remaining: number
  /** Seconds until the bucket is full again, rounded up. */
  readonly fullInS: number
  /** Seconds until a refused request would be allowed, rounded up; 0 if it was allowed. */
  readonly retryAfterS: number
}

/**
 * One token bucket for each name. The buckets may be in this process ({@link createLimiter}) or in a
 * store that several processes share, so a result may be a promise.
 */
export type Limiter = {
  /** Takes `cost` requests, or none if the bucket has fewer. A cost above the burst takes all. */
  readonly take: (name: string, cost: number, limits: Limits) => Taken | Promise<Taken>
  /** Returns part of a cost to the bucket. */
  readonly giveBack: (name: string, cost: number, limits: Limits) => Taken | Promise<Taken>
  /** Takes a cost that is known only afterwards. The bucket may then owe up to {@link MOST_OWED} bursts. */
  readonly charge: (name: string, cost: number, limits: Limits) => Taken | Promise<Taken>
}

/** A {@link Limiter} that answers at once. */
export type MemoryLimiter = {
  readonly [K in keyof Limiter]: (...args: Parameters<Limiter[K]>) => Taken
} & {
  /** The number of buckets in memory. */
  readonly size: () => number
}

/** Bursts that a bucket may owe, which also bounds how long it can refuse. */
export const MOST_OWED = 4

/** Buckets count in thousandths, so a rate per second is the same number per millisecond. */
const MILLI = 1_000

/** Above this number of buckets, full ones are forgotten: a new bucket is full too. */
const MAX_BUCKETS = 10_000

/** Token buckets in memory. `now` is a clock in milliseconds that never steps. */
export function createLimiter(now: () => number): MemoryLimiter {
  const buckets = new Map<string, { milli: number; atMs: number; limits: Limits }>()
  let sweepAt = MAX_BUCKETS
  // Addresses of callers without a key are unbounded. The next sweep is far enough away that its
  // cost is constant for each bucket.
  const forgetFull = (nowMs: number) => {
    for (const [name, { milli, atMs, limits }] of buckets) {
      if (milli + (nowMs - atMs) * limits.rate >= limits.burst * MILLI) buckets.delete(name)
    }
    sweepAt = Math.max(MAX_BUCKETS, 2 * buckets.size)
  }
  const refill = (name: string, limits: Limits) => {
    const { rate, burst } = limits
    const nowMs = now()
    const bucket = buckets.get(name) ?? { milli: burst * MILLI, atMs: nowMs, limits }
    if (buckets.size >= sweepAt) forgetFull(nowMs)
    buckets.set(name, bucket)
    bucket.limits = limits
    const gained = Math.max(0, nowMs - bucket.atMs) * rate
    bucket.milli = Math.min(burst * MILLI, bucket.milli + gained)
    bucket.atMs = nowMs
    return bucket
  }
  const statusOf = (milli: number, { rate, burst }: Limits, missing: number): Taken => ({
    isAllowed: missing <= 0,
    remaining: Math.max(0, Math.floor(milli / MILLI)),
    fullInS: Math.ceil((burst * MILLI - milli) / rate / 1_000),
    retryAfterS: Math.ceil(Math.max(0, missing) / rate / 1_000),
  })
  return {
    size: () => buckets.size,
    take: (name, cost, limits) => {
      const bucket = refill(name, limits)
      const wanted = Math.min(cost, limits.burst) * MILLI
      const missing = wanted - bucket.milli
      if (missing <= 0) bucket.milli -= wanted
      return statusOf(bucket.milli, limits, missing)
    },
    charge: (name, cost, limits) => {
      const bucket = refill(name, limits)
      bucket.milli = Math.max(-MOST_OWED * limits.burst * MILLI, bucket.milli - cost * MILLI)
      return statusOf(bucket.milli, limits, 0)
    },
    giveBack: (name, cost, limits) => {
      const bucket = refill(name, limits)
      const given = Math.min(cost, limits.burst) * MILLI
      bucket.milli = Math.min(limits.burst * MILLI, bucket.milli + given)
      return statusOf(bucket.milli, limits, 0)
    },
  }
}
