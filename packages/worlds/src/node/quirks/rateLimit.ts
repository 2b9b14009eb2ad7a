import type { Quirks } from './quirks.js'

const MINUTE_MS = 60_000

/** Counts requests against the limit of a minute; the quirks may change between two of them. */
export type RateLimit = {
  /** Takes so many requests; false if the limit does not allow them, which then cost nothing. */
  readonly take: (requests: number, quirks: Quirks) => boolean
}

/** A limit of which nothing is used yet. */
export function createRateLimit(): RateLimit {
  let taken: readonly number[] = []
  return {
    take: (requests, { requestsPerMinute, batchCost, limitWindow }) => {
      if (requestsPerMinute === Infinity) return true
      const nowMs = Date.now()
      const startMs = limitWindow === 'sliding' ? nowMs - MINUTE_MS : nowMs - (nowMs % MINUTE_MS)
      const cost = batchCost === 'one' ? 1 : requests
      taken = taken.filter((atMs) => atMs > startMs)
      if (taken.length + cost > requestsPerMinute) return false
      taken = [...taken, ...Array<number>(cost).fill(nowMs)]
      return true
    },
  }
}
