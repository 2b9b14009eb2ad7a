import { http, type Transport, webSocket } from 'viem'
import { isBusy, retryAfterMs } from './answers.js'
import { createBudget } from './budget.js'
import { type Traffic, wholeAnswers } from './wholeAnswer.js'

/** How an endpoint fares, for operators. */
export type EndpointHealth = Readonly<Traffic> & {
  /** Where it stands in the list of URLs, which themselves may hold keys. */
  readonly index: number
  readonly requests: number
  /** Requests it did not answer: lost, late, broken, or refused because it was busy. */
  readonly failures: number
  /** Those of the failures that were refused because too much was asked in a time: 429 and its like. */
  readonly limited: number
  /** Requests that had failed, or been refused, before: here or at another endpoint. */
  readonly retries: number
  /** Milliseconds during which it is left alone from now on. */
  readonly restsMs: number
}

/** A node behind one URL, and what we know of how it fares. */
export type Endpoint = {
  readonly transport: Transport
  /** Requests it may get in any minute; infinite without a budget. */
  readonly requestsPerMinute: number
  /** Blocks that one question for logs may span; infinite where that is to be found out. */
  readonly logRange: number
  /** Milliseconds until it may be asked: it rests after failures, and its budget has a pace. */
  readonly waitMs: () => number
  readonly isResting: () => boolean
  /** Takes the next turn of its budget. */
  readonly take: () => void
  /** The request it is asked next is one that failed or was refused before. */
  readonly askedAgain: () => void
  /** A request was answered, if only with a refusal. */
  readonly succeeded: () => void
  /** A request asked at `askedAt` failed with an error that says nothing of the request. */
  readonly failed: (error: unknown, askedAt: number) => void
  /** Leaves it alone for a while. */
  readonly rest: (ms: number) => void
  readonly health: () => EndpointHealth
  /** The clock all times are of, in milliseconds. */
  readonly now: () => number
}

/** What an endpoint is made of. */
export type EndpointOptions = {
  readonly index: number
  readonly timeoutMs: number
  readonly batch: boolean
  /** Requests in any minute, those of a batch each counted; no limit if absent. */
  readonly requestsPerMinute?: number
  /** Blocks that one question for logs may span; found out if absent. */
  readonly logRange?: number
  /** A number from 0 to 1, so that clients do not come back all at once. */
  readonly random: () => number
}

const FIRST_REST_MS = 250
const LONGEST_REST_MS = 10_000
/** Longer ones are a mistake, or as good as for ever. */
const LONGEST_RETRY_AFTER_MS = 600_000

/** An endpoint over http(s) or ws(s), by the scheme of its URL. */
export function createEndpoint(url: string, options: EndpointOptions): Endpoint {
  const { index, timeoutMs, batch, requestsPerMinute, random } = options
  const now = () => performance.now()
  const budget = requestsPerMinute === undefined ? undefined : createBudget(requestsPerMinute, now)
  const traffic: Traffic = { bytesIn: 0, bytesOut: 0 }
  let requests = 0
  let [failures, limited, retries] = [0, 0, 0]
  let failuresInRow = 0
  let failedAt = Number.NEGATIVE_INFINITY
  let restsUntil = 0
  const restsMs = () => Math.max(0, restsUntil - now())
  const rest = (ms: number) => {
    restsUntil = Math.max(restsUntil, now() + ms)
  }
  const patience = { timeout: timeoutMs, retryCount: 0 }
  return {
    ...{ now, rest, requestsPerMinute: requestsPerMinute ?? Number.POSITIVE_INFINITY },
    logRange: options.logRange ?? Number.POSITIVE_INFINITY,
    transport: /^wss?:/i.test(url)
      ? webSocket(url, patience)
      : http(url, { ...patience, batch, fetchFn: wholeAnswers(traffic) }),
    waitMs: () => Math.max(restsMs(), budget?.waitMs() ?? 0),
    isResting: () => restsMs() > 0,
    take: () => budget?.take(),
    askedAgain: () => {
      retries += 1
    },
    succeeded: () => {
      requests += 1
      failuresInRow = 0
    },
    failed: (error, askedAt) => {
      requests += 1
      failures += 1
      if (isBusy(error)) limited += 1
      // Requests that were under way together fail together, once.
      if (askedAt >= failedAt) failuresInRow += 1
      failedAt = now()
      const asked = Math.min(retryAfterMs(error) ?? 0, LONGEST_RETRY_AFTER_MS)
      const backoff = Math.min(FIRST_REST_MS * 2 ** (failuresInRow - 1), LONGEST_REST_MS)
      rest(Math.max(asked, backoff * (0.5 + random() / 2)))
    },
    health: () => ({
      ...{ ...traffic, index, requests, failures, limited, retries },
      restsMs: Math.round(restsMs()),
    }),
  }
}
