// One RPC endpoint: a viem transport with a circuit breaker (exponential backoff with jitter,
// `Retry-After` obeyed), a rate limit and counters. `failover.ts` chooses between several of them.

import { http, type Transport, webSocket } from 'viem'
import { fetchCompleteBatches } from './completeBatchFetch.js'
import type { EndpointProfile } from './profile.js'
import { createRateLimits, type SharedLimit } from './rateLimit.js'
import { isBusy, retryAfterMs } from './rpcErrors.js'

/** Health of an endpoint, for operators. */
export type EndpointHealth = {
  /** Its index in the list of URLs. The URL itself is not shown because it may contain a key. */
  readonly index: number
  readonly requests: number
  /** Requests without an answer: lost, late, malformed, or refused because the node was busy. */
  readonly failures: number
  /** Failures caused by the node's rate limit: 429 and the JSON-RPC equivalents. */
  readonly limited: number
  /** Milliseconds left of its cool-down. */
  readonly restsMs: number
}

/** A node behind one URL, with its rate limit and health. */
export type Endpoint = {
  readonly transport: Transport
  /** Limit of requests in any minute; infinite without one. */
  readonly requestsPerMinute: number
  /** Blocks that one `eth_getLogs` may span; infinite if that is learned from refusals. */
  readonly logRange: number
  /**
   * Milliseconds until the next request may be sent, by the cool-down, of which at most
   * `longestRestMs` count, and by the rate limit.
   */
  readonly waitMs: (longestRestMs?: number) => number
  /** Milliseconds until so many requests, at most a whole burst, may be sent at once; 0 without a limit. */
  readonly refillMs: (requests: number) => number
  readonly isResting: (longestRestMs?: number) => boolean
  /** Consumes one request of the rate limit. */
  readonly take: () => void
  /** Records that a request was answered, even with a refusal. */
  readonly succeeded: () => void
  /** Records that a request sent at `askedAt` failed for a reason other than the request itself. */
  readonly failed: (error: unknown, askedAt: number) => void
  /** Starts a cool-down of at least `ms`. */
  readonly rest: (ms: number) => void
  readonly health: () => EndpointHealth
  /** The abilities of the node, once they are known. */
  readonly profile: () => EndpointProfile | undefined
  readonly learn: (profile: EndpointProfile) => void
  /** The clock of all times here, in milliseconds. */
  readonly now: () => number
}

/** Settings of one endpoint. */
export type EndpointOptions = {
  readonly index: number
  readonly timeoutMs: number
  readonly batch: boolean
  /** Largest answer over HTTP, after decompression. */
  readonly maxAnswerBytes: number
  /** Limit of requests in any minute; each request of a batch counts. No limit if absent. */
  readonly requestsPerMinute?: number | SharedLimit
  /** Blocks that one `eth_getLogs` may span; learned from refusals if absent. */
  readonly logRange?: number
  /** A number from 0 to 1 for jitter, so that clients do not all retry at the same time. */
  readonly random: () => number
}

const FIRST_REST_MS = 250
const LONGEST_REST_MS = 10_000
/** A longer `Retry-After` is capped: it is a mistake, or means "never". */
const LONGEST_RETRY_AFTER_MS = 600_000

/** An endpoint over http(s) or ws(s), by the scheme of its URL. */
export function createEndpoint(url: string, options: EndpointOptions): Endpoint {
  const { index, timeoutMs, batch, requestsPerMinute, random, maxAnswerBytes } = options
  const now = () => performance.now()
  const isShared = typeof requestsPerMinute === 'object'
  const perMinute = isShared ? requestsPerMinute.requestsPerMinute : requestsPerMinute
  const [alone] = perMinute === undefined ? [] : createRateLimits(perMinute, [1], now)
  const budget = isShared ? requestsPerMinute.limitOf(url) : alone
  let requests = 0
  let [failures, limited] = [0, 0]
  let failuresInRow = 0
  let failedAt = Number.NEGATIVE_INFINITY
  let restsUntil = 0
  let restedAt = 0
  let profile: EndpointProfile | undefined
  const restsMs = (longestMs = Number.POSITIVE_INFINITY) =>
    Math.max(0, Math.min(restsUntil, restedAt + longestMs) - now())
  const rest = (ms: number) => {
    restedAt = now()
    restsUntil = Math.max(restsUntil, restedAt + ms)
  }
  const patience = { timeout: timeoutMs, retryCount: 0 }
  return {
    ...{ now, rest, requestsPerMinute: perMinute ?? Number.POSITIVE_INFINITY },
    logRange: options.logRange ?? Number.POSITIVE_INFINITY,
    transport: /^wss?:/i.test(url)
      ? webSocket(url, patience)
      : http(url, { ...patience, batch, fetchFn: fetchCompleteBatches(maxAnswerBytes) }),
    waitMs: (longestRestMs) => Math.max(restsMs(longestRestMs), budget?.waitMs() ?? 0),
    refillMs: (requests) => budget?.refillMs(requests) ?? 0,
    isResting: (longestRestMs) => restsMs(longestRestMs) > 0,
    profile: () => profile,
    learn: (found) => {
      profile = found
    },
    take: () => budget?.take(),
    succeeded: () => {
      requests += 1
      failuresInRow = 0
    },
    failed: (error, askedAt) => {
      requests += 1
      failures += 1
      if (isBusy(error)) limited += 1
      // Concurrent requests fail together; they count as one failure.
      if (askedAt >= failedAt) failuresInRow += 1
      failedAt = now()
      const asked = Math.min(retryAfterMs(error) ?? 0, LONGEST_RETRY_AFTER_MS)
      const backoff = Math.min(FIRST_REST_MS * 2 ** (failuresInRow - 1), LONGEST_REST_MS)
      rest(Math.max(asked, backoff * (0.5 + random() / 2)))
    },
    health: () => ({ index, requests, failures, limited, restsMs: Math.round(restsMs()) }),
  }
}
