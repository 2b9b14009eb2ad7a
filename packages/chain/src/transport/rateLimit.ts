// Client-side rate limit of one endpoint: a token bucket. Public nodes refuse or ban a client that
// exceeds their limit, so requests are delayed here instead.

/** A token bucket whose balance may go negative: callers queue by taking tokens in advance. */
export type RateLimit = {
  /** Milliseconds until one more request may be sent; 0 if it may be sent at once. */
  readonly waitMs: () => number
  /** Consumes the token whose wait {@link RateLimit.waitMs} returned. */
  readonly take: () => void
}

/** Part of a minute's requests that may be sent in one burst; the rest are spaced evenly. */
const BURST = 0.05
/** Least burst, so that small limits have one too; at most half of the limit. */
const SMALL_BURST = 5

/**
 * A bucket that allows at most `perMinute` requests in any 60 seconds: burst plus refill together
 * stay within the limit. `now` is a clock in milliseconds.
 */
export function createRateLimit(perMinute: number, now: () => number): RateLimit {
  const few = Math.min(SMALL_BURST, Math.floor(perMinute / 2))
  const size = Math.max(1, few, Math.floor(perMinute * BURST))
  const perMs = Math.max(perMinute - size, 0.5) / 60_000
  let tokens = size
  let filledAt = now()
  const fill = () => {
    const at = now()
    tokens = Math.min(size, tokens + (at - filledAt) * perMs)
    filledAt = at
  }
  return {
    waitMs: () => {
      fill()
      return tokens >= 1 ? 0 : Math.ceil((1 - tokens) / perMs)
    },
    take: () => {
      fill()
      tokens -= 1
    },
  }
}
