import {
  type Address,
  type Bound,
  feeRate,
  type Graph,
  gapBpsOf,
  type Hop,
  type InputBound,
  inputGapBpsOf,
  type Options,
  type Order,
  type Quote,
  quote,
  type Route,
  SHARE_ONE,
  toCurve,
} from '@braid-swap/core'

/** A quoted amount with its gas and mode; `route` only after the exact walk. */
export type Answer = {
  readonly mode: 'exact' | 'sum'
  /** Wei. */
  readonly amountOut: bigint
  readonly gas: bigint
  /** Whether the route has a sampled pool, whose own quote is only reliable for the next block. */
  readonly isSampled: boolean
  readonly route?: Route
  readonly bound?: Bound
  /** Only if the output was given and the input was searched. */
  readonly input?: { readonly amountIn: bigint; readonly inputBound: InputBound }
}

/** The route found for an order, walked in exact integers. Throws as core's `quote`. */
export function quoteExact(
  graph: Graph,
  order: Order,
  options: Options,
): Answer & { readonly route: Route } {
  return exactAnswer(quote(graph, order, options))
}

/** Converts a quote of core to an answer. */
export function exactAnswer({
  amountOut,
  gas,
  route,
  bound,
}: Pick<Quote, 'amountOut' | 'gas' | 'route' | 'bound'>): Answer & { readonly route: Route } {
  const figures = { amountOut, gas: BigInt(gas), isSampled: isSampled(route) }
  return { mode: 'exact', ...figures, route, ...(bound && { bound }) }
}

/**
 * The solver's floating-point output of the route, rounded down, instead of the exact walk, for
 * `exactQuote=no`. Throws as core's `quote`.
 */
export function quoteEstimate(graph: Graph, order: Order, options: Options): Answer {
  const { estimate, gas, route, bound } = quote(graph, order, options)
  const figures = { amountOut: estimate, gas: BigInt(gas), isSampled: isSampled(route) }
  return { mode: 'sum', ...figures, ...(bound && { bound }) }
}

function isSampled(route: Route): boolean {
  return route.some(({ pool }) => pool.sampledAt !== undefined)
}

/**
 * The solver's upper bound on its objective, and the distance of the answer to it in basis points.
 * Both are floats; the amounts are exact. An answer above its bound disproves the bound: then `gapBps`
 * is null, which means unknown and not 0, and the bound is left out.
 */
export function gapOf({ amountOut, gas, bound, input }: Answer) {
  if (input) return inputGapOf(input, gas)
  const gapBps = gapBpsOf({ amountOut, gas: Number(gas), ...(bound && { bound }) })
  if (!bound || gapBps === undefined) return undefined
  if (gapBps === null) return { gapBps, method: 'dual' }
  const most = `${bound.amount}`
  return {
    ...(bound.gasCost > 0 ? { maxNetDstAmount: most } : { maxDstAmount: most }),
    ...{ gapBps: Math.round(gapBps * 100) / 100, method: 'dual' },
  }
}

/** The same for a searched input: the solver's lower bound on it, and the distance to that. */
function inputGapOf({ amountIn, inputBound }: NonNullable<Answer['input']>, gas: bigint) {
  const gapBps = inputGapBpsOf({ amountIn, gas: Number(gas), inputBound })
  if (gapBps === undefined) return undefined
  if (gapBps === null) return { gapBps, method: 'dual' }
  const least = `${inputBound.amount}`
  return {
    ...(inputBound.gasCost > 0 ? { minSrcCost: least } : { minSrcAmount: least }),
    ...{ gapBps: Math.round(gapBps * 100) / 100, method: 'dual' },
  }
}

/**
 * The output of a route if its pools kept the rates before the order, less the fees of the order, in
 * wei. Price impact is measured against this amount, so that it contains no fee.
 */
function spotAmountOut(route: Route, order: Order): number {
  return walkFloats(route, order, ({ pool, direction, amountIn }, x) => {
    const feeOf = (amount: bigint) => feeRate(pool, direction, amount) ?? 0
    // The price of the first wei includes the fee of the first wei; some fees rise with the amount.
    const risen = (1 - feeOf(amountIn)) / (1 - feeOf(1n))
    return x * toCurve(pool, direction).price(0) * risen
  })
}

/** Estimates of the output without price impact and of the gas cost, in wei of the token out. */
export function figuresOf({ route, gas, bound: own, input }: Answer, order: Order) {
  const bound = own ?? input?.inputBound.bound
  const spot = route ? spotAmountOut(route, order) : Number.NaN
  const gasCost = bound ? Number(gas) * bound.gasCost : 0
  return {
    ...(Number.isFinite(spot) && { spotDstAmount: `${BigInt(Math.floor(spot))}` }),
    ...(gasCost > 0 && { gasCostInDst: `${BigInt(Math.ceil(gasCost))}` }),
  }
}

/**
 * Price impact: how far the output is below the rates before the order, without fees on both sides, in
 * basis points, at least 0. `null` if unknown: without an exact walk, or without such a rate.
 */
export function priceImpactBps(
  { route, amountOut }: Pick<Answer, 'route' | 'amountOut'>,
  order: Order,
): number | null {
  const spot = route ? spotAmountOut(route, order) : Number.NaN
  if (!(spot > 0) || !Number.isFinite(spot)) return null
  const bps = (1 - Number(amountOut) / spot) * 10_000
  return Math.max(0, Math.round(bps * 100) / 100)
}

/** The output of a route whose hops pay the amounts of `outOf`, in wei as floats. */
function walkFloats(
  route: Route,
  order: Order,
  outOf: (hop: Hop, amountIn: number) => number,
): number {
  const held = new Map<Address, number>([[order.tokenIn, Number(order.amountIn)]])
  for (const hop of route) {
    const { pool, direction, share } = hop
    const tokenIn = pool.tokens[direction.in]!
    const tokenOut = pool.tokens[direction.out]!
    const remaining = held.get(tokenIn) ?? 0
    const amountIn = share === 0 ? remaining : (remaining * share) / SHARE_ONE
    held.set(tokenIn, remaining - amountIn)
    held.set(tokenOut, (held.get(tokenOut) ?? 0) + outOf(hop, amountIn))
  }
  return held.get(order.tokenOut) ?? 0
}
