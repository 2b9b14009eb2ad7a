import { type Address, type Hop, NATIVE, type Route } from '@braid-swap/core'
import { calledContract, feeRate } from '@braid-swap/core/families'
import { showAddress } from './addresses.js'
import { toPercents } from './percents.js'
import type { GraphEntry } from './responses.js'

const PPM_PER_PERCENT = 10_000

/** The token a hop takes. */
export const tokenInOf = (hop: Hop): Address => hop.pool.tokens[hop.direction.in]!

/** The token a hop gives. */
export const tokenOutOf = (hop: Hop): Address => hop.pool.tokens[hop.direction.out]!

/** The hops of a route as `graph`: one entry per hop, in execution order. */
export function toGraph(route: Route): readonly GraphEntry[] {
  const entries = route.map(
    (hop): GraphEntry => ({
      from: showAddress(tokenInOf(hop)),
      to: showAddress(tokenOutOf(hop)),
      pool: showAddress(calledContract(hop.pool)),
      ...(hop.pool.manager && { poolId: hop.pool.id }),
      exchange: hop.pool.venue,
      poolType: poolTypeOf(hop),
      percentage: 0,
      amountIn: `${hop.amountIn}`,
      amountOut: `${hop.amountOut}`,
      share: `${hop.share}`,
      takesRemainder: hop.share === 0,
      fee: feePercentOf(hop),
      gas: `${hop.gas}`,
      ...(hop.pool.sampledAt !== undefined && { sampled: true }),
    }),
  )
  for (const token of new Set(route.map(tokenInOf))) {
    const indices = [...route.keys()].filter((index) => tokenInOf(route[index]!) === token)
    const percents = toPercents(indices.map((index) => route[index]!.amountIn))
    for (const [i, index] of indices.entries()) entries[index]!.percentage = percents[i]!
  }
  return entries
}

/** `poolType` of a hop: the pool's family, or `wrap` or `unwrap` by direction. */
export function poolTypeOf(hop: Pick<Hop, 'pool' | 'direction'>): string {
  if (hop.pool.family !== 'wrap') return hop.pool.family
  return hop.pool.tokens[hop.direction.in] === NATIVE ? 'wrap' : 'unwrap'
}

/** The fee of a hop, in percent of its input; 0 if the pool does not report it. */
export function feePercentOf({ pool, direction, amountIn }: Hop): number {
  return Math.round((feeRate(pool, direction, amountIn) ?? 0) * 1e6) / PPM_PER_PERCENT
}
