import { ApiError } from '../errors.js'
import type { Limits, Taken } from '../limiter.js'
import type { RouteParts } from '../parts.js'
import type { ApiContext, ApiMiddleware } from './state.js'

/** What requests cost that make us search more than a quote does; all others cost 1. */
const COSTS: ReadonlyMap<string, number> = new Map([
  ['swap', 2],
  ['dex-compare', 3],
])
/** What an answer costs that says only that nothing changed. */
const UNCHANGED_COST = 0.1

/** Lets a key ask for as much as its limits say, and tells in every answer what is left. */
export function limitKeys({
  limiter,
  metrics,
}: Pick<RouteParts, 'limiter' | 'metrics'>): ApiMiddleware {
  return async (ctx, next) => {
    const { id, limits } = ctx.state.key!
    const cost = COSTS.get(ctx.path.slice(ctx.path.lastIndexOf('/') + 1)) ?? 1
    const taken = limiter.take(id, cost, limits)
    tell(ctx, limits, taken)
    metrics.requests.inc({ key: id })
    if (!taken.isAllowed) metrics.limited.inc({ key: id })
    if (!taken.isAllowed) throw limited(ctx, { name: 'requests', limits, taken })
    await next()
    if (ctx.status === 304) tell(ctx, limits, limiter.giveBack(id, cost - UNCHANGED_COST, limits))
  }
}

/** Charges a key for a simulation, which has a bucket of its own. Throws RATE_LIMITED. */
export function chargeSimulation(ctx: ApiContext, { limiter, config }: RouteParts): void {
  const limits = config.simulationLimits
  const taken = limiter.take(`${ctx.state.key!.id} simulations`, 1, limits)
  if (!taken.isAllowed) throw limited(ctx, { name: 'simulations', limits, taken })
}

/** The refusal of a request that a bucket does not allow; tells when to come again. */
function limited(
  ctx: ApiContext,
  of: { readonly name: string; readonly limits: Limits; readonly taken: Taken },
): ApiError {
  const { rate, burst } = of.limits
  const { retryAfterS } = of.taken
  ctx.set('retry-after', `${retryAfterS}`)
  const message = `the key has used up its ${of.name} for now`
  return new ApiError('RATE_LIMITED', message, {
    details: { rate, burst, retryAfterSeconds: retryAfterS },
  })
}

/**
 * The header fields of draft-ietf-httpapi-ratelimit-headers and the older three. The quota is the
 * burst, and its window the time that refills it.
 */
function tell(ctx: ApiContext, { rate, burst }: Limits, { remaining, fullInS }: Taken): void {
  ctx.set({
    'ratelimit-policy': `"key";q=${burst};w=${Math.ceil(burst / rate)}`,
    ratelimit: `"key";r=${remaining};t=${fullInS}`,
    'ratelimit-limit': `${burst}`,
    'ratelimit-remaining': `${remaining}`,
    'ratelimit-reset': `${fullInS}`,
  })
}
