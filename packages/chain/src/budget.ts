/** How many requests may still go, in time: a token bucket whose tokens can be owed. */
export type Budget = {
  /** Milliseconds until one more request may go; 0 if it may at once. */
  readonly waitMs: () => number
  /** Takes the turn that {@link Budget.waitMs} told. */
  readonly take: () => void
}

/** The part of a minute's requests that may go at once; the others come evenly. */
const BURST = 0.05
/** So many may go at once of a small budget too, up to half of it. */
const SMALL_BURST = 5

/**
 * At most `perMinute` requests in any 60 seconds: a few may go at once, and the bucket
 * refills with the others. `now` is a clock in milliseconds.
 */
export function createBudget(perMinute: number, now: () => number): Budget {
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
