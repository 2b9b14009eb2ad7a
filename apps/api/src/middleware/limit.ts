import type { RouteParts } from '../context.js'
import { ApiError } from '../errors.js'
import type { Limits, Taken } from '../keys/rateLimiter.js'
import type { ApiContext, ApiMiddleware } from './state.js'

/** Cost of requests that search more than a quote does; all others cost 1. */
const COSTS: ReadonlyMap<string, number> = new Map([
  ['swap', 2],
  ['dex-compare', 3],
])
/** Cost of a 304 response. */
const UNCHANGED_COST = 0.1

/** Enforces the rate limit of each key and reports the remaining requests in every response. */
export function limitKeys({
  limiter,
  metrics,
}: Pick<RouteParts, 'limiter' | 'metrics'>): ApiMiddleware {
  return async (ctx, next) => {
    const { id, limits } = ctx.state.key!
    const cost = COSTS.get(ctx.path.slice(ctx.path.lastIndexOf('/') + 1)) ?? 1
    const taken = await limiter.take(id, cost, limits)
    setLimitHeaders(ctx, limits, taken)
    metrics.requests.inc({ key: id })
    if (!taken.isAllowed) metrics.limited.inc({ key: id })
    if (!taken.isAllowed) throw limited(ctx, { name: 'requests', limits, taken })
    await next()
    if (ctx.status === 304) {
      setLimitHeaders(ctx, limits, await limiter.giveBack(id, cost - UNCHANGED_COST, limits))
    }
  }
}

/** Charges a key for a simulation, from a separate bucket. Throws RATE_LIMITED. */
export async function chargeSimulation(
  ctx: ApiContext,
  { limiter, config }: RouteParts,
): Promise<void> {
  const limits = config.simulationLimits
  const taken = await limiter.take(`${ctx.state.key!.id} simulations`, 1, limits)
  if (!taken.isAllowed) throw limited(ctx, { name: 'simulations', limits, taken })
}

/** The error of a request that a bucket does not allow. Sets `retry-after`. */
function limited(
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
