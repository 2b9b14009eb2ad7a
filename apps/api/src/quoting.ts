import {
  type Address,
  estimateGas,
  type Graph,
  mulDivUp,
  NATIVE,
  type Options,
  type Order,
  type PlannedHop,
  quote,
  ROUTER_GAS,
  type Route,
  SHARE_ONE,
  solve,
  toCurve,
} from '@braid-swap/core'

const PPM = 1_000_000n

/** What an amount out, a gas figure and how they were found; `route` only after the exact walk. */
export type Answer = {
  readonly mode: 'exact' | 'sum'
  /** Wei. */
  readonly amountOut: bigint
  readonly gas: bigint
  readonly route?: Route
}

/** The route found for an order, walked in exact integers. Throws as core's `quote`. */
export function quoteExact(
  graph: Graph,
  order: Order,
  options: Options,
): Answer & { readonly route: Route } {
  const { amountOut, gas, route } = quote(graph, order, options)
  return { mode: 'exact', amountOut, gas: BigInt(gas), route }
}

/**
 * The sum of the solver's own figures for an order, rounded down, without the exact walk: what
 * `exactQuote=no` asks for. Throws as core's `quote`.
 */
export function quoteSum(graph: Graph, order: Order, options: Options): Answer {
  const { wrappedNative } = graph.snapshot
  const wrapped = (token: Address) => (token === NATIVE ? wrappedNative : token)
  const tokenIn = wrapped(order.tokenIn)
  const tokenOut = wrapped(order.tokenOut)
  const hops =
    tokenIn === tokenOut ? undefined : solve(graph, { ...order, tokenIn, tokenOut }, options)?.hops
  if (!hops) return quoteExact(graph, order, options)
  const held = walkFloats(hops, { token: tokenIn, amount: Number(order.amountIn) }, (hop, x) =>
    toCurve(hop.pool, hop.direction).out(x),
  )
  return {
    mode: 'sum',
    amountOut: BigInt(Math.floor(held.amountOf(tokenOut))),
    gas: BigInt(held.gas) + wrapGasOf(graph, order),
  }
}

/**
 * What a route would pay if its pools kept their marginal rates after fees: the amount that price
 * impact is measured against.
 */
export function spotAmountOut(route: Route, order: Order): number {
  const start = { token: order.tokenIn, amount: Number(order.amountIn) }
  return walkFloats(
    route,
    start,
    ({ pool, direction }, x) => x * toCurve(pool, direction).price(0),
  ).amountOf(order.tokenOut)
}

/** How far below the marginal rates a route pays, in basis points of an amount; at least 0. */
export function priceImpactBps(route: Route, order: Order, amountOut: bigint): number | null {
  const spot = spotAmountOut(route, order)
  if (!(spot > 0)) return null
  const bps = (1 - Number(amountOut) / spot) * 10_000
  return Math.max(0, Math.round(bps * 100) / 100)
}

/** The floor that a slippage leaves, rounded up and at least one wei; a bare wrap has no slippage. */
export function minAmountOut(amountOut: bigint, slippagePpm: number, route: Route): bigint {
  if (route.every(({ pool }) => pool.tokens.includes(NATIVE))) return amountOut
  const floor = mulDivUp(amountOut, PPM - BigInt(slippagePpm), PPM)
  return floor > 0n ? floor : 1n
}

function walkFloats(
  hops: readonly PlannedHop[],
  start: { readonly token: Address; readonly amount: number },
  outOf: (hop: PlannedHop, amountIn: number) => number,
) {
  const held = new Map<Address, number>([[start.token, start.amount]])
  let gas = ROUTER_GAS
  for (const hop of hops) {
    const { pool, direction, share } = hop
    const tokenIn = pool.tokens[direction.in]!
    const tokenOut = pool.tokens[direction.out]!
    const remaining = held.get(tokenIn) ?? 0
    const amountIn = share === 0 ? remaining : (remaining * share) / SHARE_ONE
    held.set(tokenIn, remaining - amountIn)
    held.set(tokenOut, (held.get(tokenOut) ?? 0) + outOf(hop, amountIn))
    gas += estimateGas(pool, direction, BigInt(Math.floor(amountIn)))
  }
  return { amountOf: (token: Address) => held.get(token) ?? 0, gas }
}

/** Gas of wrapping before and unwrapping after, where an end is native. */
function wrapGasOf({ snapshot }: Graph, { tokenIn, tokenOut, amountIn }: Order): bigint {
  const pool = snapshot.pools.find(({ id }) => id === snapshot.wrappedNative)
  if (!pool) return 0n
  const once = BigInt(estimateGas(pool, { in: 0, out: 1 }, amountIn))
  return BigInt([tokenIn, tokenOut].filter((token) => token === NATIVE).length) * once
}
