import {
  type Bound,
  type Graph,
  gapBpsOf,
  type InputBound,
  inputGapBpsOf,
  type Order,
  type PaidFee,
  type Quote,
  type QuoteOptions,
  quote,
  type Route,
} from '@braid-swap/core'
import { spotAmountOut } from '@braid-swap/core/advanced'

/** A quoted amount with its gas and mode; `route` only after the exact walk. */
export type QuoteAnswer = {
  readonly mode: 'exact' | 'sum'
  /** Wei. */
  readonly amountOut: bigint
  readonly gas: bigint
  /** True if the route has a sampled pool, whose own quote is only reliable for the next block. */
  readonly isSampled: boolean
  readonly route?: Route
  readonly bound?: Bound
  /** How much less the output is worth than the input, in basis points; absent if that is unknown. */
  readonly worthLostBps?: number | undefined
  /** The integrator's fee that the amount is net of. */
  readonly fee?: PaidFee
  /** Only if the output was given and the input was searched. */
  readonly input?: { readonly amountIn: bigint; readonly inputBound: InputBound }
}

/** The route found for an order, walked in exact integers. Throws as core's `quote`. */
export function quoteExact(
  graph: Graph,
  order: Order,
  options: QuoteOptions,
): QuoteAnswer & { readonly route: Route } {
  return exactAnswer(quote(graph, order, options))
}

/** Converts a quote of core to an answer. */
export function exactAnswer({
  amountOut,
  gas,
  route,
  bound,
  fee,
}: Pick<Quote, 'amountOut' | 'gas' | 'route' | 'bound' | 'fee'>): QuoteAnswer & {
  readonly route: Route
} {
  const figures = { amountOut, gas: BigInt(gas), isSampled: isSampled(route) }
  return { mode: 'exact', ...figures, route, ...(bound && { bound }), ...(fee && { fee }) }
}

/**
 * The solver's floating-point output of the route, rounded down, instead of the exact walk, for
 * `exactQuote=no`. Throws as core's `quote`.
 */
export function quoteEstimate(graph: Graph, order: Order, options: QuoteOptions): QuoteAnswer {
  const { estimate, gas, route, bound, fee } = quote(graph, order, options)
  const figures = { amountOut: estimate, gas: BigInt(gas), isSampled: isSampled(route) }
  return { mode: 'sum', ...figures, ...(bound && { bound }), ...(fee && { fee }) }
}

function isSampled(route: Route): boolean {
  return route.some(({ pool }) => pool.sampledAt !== undefined)
}

/**
 * The solver's upper bound on its objective, and the distance of the answer to it in basis points.
 * Both are floats; the amounts are exact. An answer above its bound disproves the bound: then `gapBps`
 * is null, which means unknown and not 0, and the bound is left out.
 */
export function gapOf({ amountOut, gas, bound, input }: QuoteAnswer) {
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
function inputGapOf({ amountIn, inputBound }: NonNullable<QuoteAnswer['input']>, gas: bigint) {
  const gapBps = inputGapBpsOf({ amountIn, gas: Number(gas), inputBound })
  if (gapBps === undefined) return undefined
  if (gapBps === null) return { gapBps, method: 'dual' }
  const least = `${inputBound.amount}`
  return {
    ...(inputBound.gasCost > 0 ? { minSrcCost: least } : { minSrcAmount: least }),
    ...{ gapBps: Math.round(gapBps * 100) / 100, method: 'dual' },
  }
}

/** Estimates of the output without price impact and of the gas cost, in wei of the token out. */
export function figuresOf({ route, gas, bound: own, input, fee }: QuoteAnswer, order: Order) {
  const bound = own ?? input?.inputBound.bound
  const spot = route ? spotAmountOut(route, order, fee) : Number.NaN
  const gasCost = bound ? Number(gas) * bound.gasCost : 0
  return {
    ...(Number.isFinite(spot) && { spotDstAmount: `${BigInt(Math.floor(spot))}` }),
    ...(gasCost > 0 && { gasCostInDst: `${BigInt(Math.ceil(gasCost))}` }),
  }
}
