// What a request costs its key, and the refusal when the key has no more; `asker.ts` charges what a request adds.

import { ownValue } from '@braid-swap/core/advanced'
import { ApiError } from '../errors.js'
import type { Limits, Taken } from '../keys/rateLimiter.js'
import type { ApiContext, ApiMiddleware } from '../middleware/state.js'
import type { Need } from '../need.js'

/** Cost of requests that do more than a quote, by the end of their path; all others cost 1. */
const COSTS: readonly (readonly [string, number])[] = [
  ['/swap', 2],
  ['/dex-compare', 3],
  ['/v2/route', 2],
  ['/allowance-holder/quote', 2],
]
/** Additional cost of the search for the nearest fill; returned if there was no need for it. */
const NEAREST_COST = 4
/** Cost of a 304 response. */
const UNCHANGED_COST = 0.1

/** The cost of a request; of a list of amounts, that of a quote for each. */
function costOf({ path, query }: Pick<ApiContext, 'path' | 'query'>): number {
  if (path.endsWith('/quotes')) return `${ownValue(query, 'amounts')}`.split(',').length
  return COSTS.find(([end]) => path.endsWith(end))?.[1] ?? 1
}

/** Enforces the rate limit of each key and reports the remaining requests in every response. */
export function limitKeys({
  config,
  limiter,
  metrics,
}: Pick<Need, 'config' | 'limiter' | 'metrics'>): ApiMiddleware {
  return async (ctx, next) => {
    const { id, limits, bucket } = ctx.state.key!
    const nearest = mayExplain(ctx) ? NEAREST_COST : 0
    const cost = costOf(ctx) + nearest
    const taken = await limiter.take(bucket, cost, limits)
    setLimitHeaders(ctx, limits, taken)
    metrics.requests.inc({ key: id, outcome: taken.isAllowed ? 'allowed' : 'limited' })
    if (!taken.isAllowed) {
      throw limited(ctx, { name: 'requests', limits, taken })
    }
    try {
      await next()
    } finally {
      // A search has one of few threads to itself, so a long one costs as many requests as it takes the time of.
      const { solvedMs = 0 } = ctx.state
      const more = solvedMs / config.requestMs - cost
      if (more > 0) setLimitHeaders(ctx, limits, await limiter.charge(bucket, more, limits))
    }
    const spared = ctx.status === 304 ? cost - UNCHANGED_COST : nearest
    if (spared > 0) setLimitHeaders(ctx, limits, await limiter.giveBack(bucket, spared, limits))
  }
}

/** True if the text of the flag asks for the search for the nearest fill. */
function mayExplain(ctx: ApiContext): boolean {
  const flag = ownValue(ctx.query, 'includeNearest')
  return flag !== undefined && flag !== 'false' && flag !== '0'
}

/** The error of a request that a bucket does not allow. Sets `retry-after`. */
export function limited(
  ctx: ApiContext,
  of: { readonly name: string; readonly limits: Limits; readonly taken: Taken },
): ApiError {
  const { rate, burst } = of.limits
  const { retryAfterS } = of.taken
  ctx.set('retry-after', `${retryAfterS}`)
  const message = `the rate limit of the key for ${of.name} is exceeded`
  return new ApiError('RATE_LIMITED', message, {
    details: { rate, burst, retryAfterSeconds: retryAfterS },
  })
}

/**
 * Sets the header fields of draft-ietf-httpapi-ratelimit-headers and the three older ones. The quota
 * is the burst; the window is the time to refill it.
 */
function setLimitHeaders(
  ctx: ApiContext,
  { rate, burst }: Limits,
  { remaining, fullInS }: Taken,
): void {
  ctx.set({
    'ratelimit-policy': `"key";q=${burst};w=${Math.ceil(burst / rate)}`,
    ratelimit: `"key";r=${remaining};t=${fullInS}`,
    'ratelimit-limit': `${burst}`,
    'ratelimit-remaining': `${remaining}`,
    'ratelimit-reset': `${fullInS}`,
  })
}
