/** What a key may ask for: a bucket of `burst` requests that `rate` requests a second refill. */
export type Limits = { readonly rate: number; readonly burst: number }

/** What a bucket says to a request. */
export type Taken = {
  readonly isAllowed: boolean
  /** Whole requests of cost 1 that could follow at once. */
  readonly remaining: number
  /** Seconds until the bucket is full again, rounded up. */
  readonly fullInS: number
  /** Seconds until a refused request would be allowed, rounded up; 0 if it was allowed. */
  readonly retryAfterS: number
}

/** A token bucket for each name. */
export type Limiter = {
  /** Takes `cost` requests, or nothing if the bucket has less; a cost above the burst empties it. */
  readonly take: (name: string, cost: number, limits: Limits) => Taken
  /** Gives back what a request turned out not to cost. */
  readonly giveBack: (name: string, cost: number, limits: Limits) => Taken
}

/** Buckets count thousandths of a request: a rate per second is then one per millisecond. */
const MILLI = 1_000

/** Token buckets in memory, by the clock `now` in Unix milliseconds. */
export function createLimiter(now: () => number): Limiter {
  const buckets = new Map<string, { milli: number; atMs: number }>()
  const refill = (name: string, { rate, burst }: Limits) => {
    const nowMs = now()
    const bucket = buckets.get(name) ?? { milli: burst * MILLI, atMs: nowMs }
    buckets.set(name, bucket)
    const gained = Math.max(0, nowMs - bucket.atMs) * rate
    bucket.milli = Math.min(burst * MILLI, bucket.milli + gained)
    bucket.atMs = nowMs
    return bucket
  }
  const tell = (milli: number, { rate, burst }: Limits, missing: number): Taken => ({
    isAllowed: missing <= 0,
    remaining: Math.floor(milli / MILLI),
    fullInS: Math.ceil((burst * MILLI - milli) / rate / 1_000),
    retryAfterS: Math.ceil(Math.max(0, missing) / rate / 1_000),
  })
  return {
    take: (name, cost, limits) => {
      const bucket = refill(name, limits)
      const wanted = Math.min(cost, limits.burst) * MILLI
      const missing = wanted - bucket.milli
      if (missing <= 0) bucket.milli -= wanted
      return tell(bucket.milli, limits, missing)
    },
    giveBack: (name, cost, limits) => {
      const bucket = refill(name, limits)
      const given = Math.min(cost, limits.burst) * MILLI
      bucket.milli = Math.min(limits.burst * MILLI, bucket.milli + given)
      return tell(bucket.milli, limits, 0)
    },
  }
}
