import {
  type Address,
  type Fee,
  type Graph,
  type Options,
  type Order,
  quote,
} from '@braid-swap/core'
import { quoteHops, wrappedOf } from '@braid-swap/core/advanced'

/** The output of one pool alone for an order. */
export type SinglePool = {
  readonly pool: Address
  readonly family: string
  /** Absent if the source is an API, which does not report it. */
  readonly venue?: string
  readonly amountOut: bigint
}

/** The outputs of single pools, best first, and of the aggregated route, at one block, before gas. */
export type Comparison = {
  readonly order: Order
  readonly amountOut: bigint
  readonly pools: readonly SinglePool[]
}

/** Quotes each pool of the pair that can take the whole amount, best first, and the aggregated route. */
export function comparePools(
  graph: Graph,
  order: Order,
  { routeLimits, maxPools }: { readonly routeLimits: Options; readonly maxPools: number },
): Comparison {
  const { amountOut } = quote(graph, order, { ...routeLimits, objective: 'gross' })
  const { excludedPools } = routeLimits
  const pools = singlePools(graph, order, { maxPools, ...(excludedPools && { excludedPools }) })
  return { order, amountOut, pools }
}

/** What each pool of the pair that can take the whole amount pays alone, best first. */
export function singlePools(
  graph: Graph,
  order: Order,
  of: { readonly maxPools: number; readonly fee?: Fee } & Pick<Options, 'excludedPools'>,
): readonly SinglePool[] {
  const { pools, wrappedNative } = graph.snapshot
  const tokenIn = wrappedOf(order.tokenIn, wrappedNative)
  const tokenOut = wrappedOf(order.tokenOut, wrappedNative)
  const alone = pools.flatMap((pool): SinglePool[] => {
    const tokens: readonly Address[] = pool.tokens
    const direction = { in: tokens.indexOf(tokenIn), out: tokens.indexOf(tokenOut) }
    if (direction.in < 0 || direction.out < 0 || of.excludedPools?.has(pool.id)) return []
    const found = quoteHops(graph, order, [{ pool, direction, share: 0 }], of.fee)
    const { id, family, venue } = pool
    return found ? [{ pool: id, family, venue, amountOut: found.amountOut }] : []
  })
  return alone.sort((a, b) => (a.amountOut < b.amountOut ? 1 : -1)).slice(0, of.maxPools)
}
