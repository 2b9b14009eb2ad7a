const MINUTE_MS = 60_000

/** Counts requests against the limit of a minute, which may change between two of them. */
export type RateLimit = {
  /** Takes so many requests; false if the limit does not allow them, which then cost nothing. */
  readonly take: (requests: number, perMinute: number) => boolean
}

/** A limit of which nothing is used yet. */
export function createRateLimit(): RateLimit {
  let taken: readonly number[] = []
  return {
    take: (requests, perMinute) => {
      if (perMinute === Infinity) return true
      const nowMs = Date.now()
      taken = taken.filter((atMs) => atMs > nowMs - MINUTE_MS)
      if (taken.length + requests > perMinute) return false
      taken = [...taken, ...Array<number>(requests).fill(nowMs)]
      return true
    },
  }
}
