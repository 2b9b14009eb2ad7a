// Client-side rate limit of one endpoint: token buckets. Public nodes refuse or ban a client that
// exceeds their limit, so requests are delayed here instead.

/** A user of a limit. Its balance may go negative: callers queue by taking tokens in advance. */
export type RateLimit = {
  /** Milliseconds until one more request may be sent; 0 if it may be sent at once. */
  readonly waitMs: () => number
  /** Milliseconds until so many requests, at most a whole burst, may be sent at once, if no other user sends any. */
  readonly refillMs: (requests: number) => number
  /** Consumes the token whose wait {@link RateLimit.waitMs} returned. */
  readonly take: () => void
}

/** Part of a minute's requests that may be sent in one burst; the rest are spaced evenly. */
const BURST = 0.05
/** Least burst, so that small limits have one too; at most half of the limit. */
const SMALL_BURST = 10

type Bucket = { tokens: number; readonly size: number; readonly perMs: number }

/**
 * One limit for several users: at most `perMinute` requests in any 60 seconds, burst and refill together.
 * Each user has its share for certain, and what another's full burst has no room for goes to it. `now` is a
 * clock in milliseconds; `shares` are parts that sum to 1.
 */
export function createRateLimits(
  perMinute: number,
  shares: readonly number[],
  now: () => number,
): readonly RateLimit[] {
  const few = Math.min(SMALL_BURST, Math.floor(perMinute / 2))
  const burst = Math.max(1, few, Math.floor(perMinute * BURST))
  const sizes = shares.map((share) => Math.max(1, burst * share))
  const most = sizes.reduce((sum, size) => sum + size, 0)
  const perMs = Math.max(perMinute - most, 0.5) / 60_000
  const own = shares.map((share, i): Bucket => {
    const size = sizes[i]!
    // A process that ended just now may have used the minute, so a new one does not begin with a burst.
    return { tokens: Math.min(1, size), size, perMs: perMs * share }
  })
  let filledAt = now()
  const fill = () => {
    const at = now()
    let unused = 0
    for (const bucket of own) {
      const filled = bucket.tokens + (at - filledAt) * bucket.perMs
      bucket.tokens = Math.min(bucket.size, filled)
      unused += filled - bucket.tokens
    }
    for (const bucket of own) {
      const lent = Math.min(unused, bucket.size - bucket.tokens)
      bucket.tokens += lent
      unused -= lent
    }
    filledAt = at
  }
  const msFor = (tokens: number, perMs: number) => Math.max(0, Math.ceil(tokens / perMs))
  return own.map((bucket) => ({
    waitMs: () => {
      fill()
      return msFor(1 - bucket.tokens, bucket.perMs)
    },
    refillMs: (requests) => {
      fill()
      return msFor(Math.min(requests, bucket.size) - bucket.tokens, perMs)
    },
    take: () => {
      fill()
      bucket.tokens -= 1
    },
  }))
}

/** A limit for each endpoint that several clients share. */
export type SharedLimit = {
  /** Requests in any minute that one client has while the others send none. */
  readonly requestsPerMinute: number
  /** The limit of the endpoint at a URL. */
  readonly limitOf: (url: string) => RateLimit
}

/** Shares `perMinute` requests to each endpoint between clients, in parts that sum to 1. */
export function shareRequests(
  perMinute: number,
  shares: readonly number[],
): readonly SharedLimit[] {
  const byUrl = new Map<string, readonly RateLimit[]>()
  const limitsOf = (url: string) => {
    const known = byUrl.get(url) ?? createRateLimits(perMinute, shares, () => performance.now())
    byUrl.set(url, known)
    return known
  }
  return shares.map((_, i) => ({
    requestsPerMinute: perMinute,
    limitOf: (url) => limitsOf(url)[i]!,
  }))
}
