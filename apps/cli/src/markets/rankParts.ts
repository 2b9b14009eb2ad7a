// The worth of each part of a market to an order. Input: a graph, an order, and the kind of part: a pool, a
// venue or a token between. Output: the order's quote, and its quote without each part (leave one out), or
// with each further venue beside the chosen ones (add one). Outputs are before gas, so that more pools
// never count as a loss.

import {
  type Address,
  BaseError,
  type Graph,
  type Options,
  type Order,
  type Pool,
  quote,
  type Route,
} from '@braid-swap/core'
import { tryQuote } from './quotedAmount.js'

/** The kinds of part that are left out one at a time. */
export const partKinds = ['pool', 'venue', 'token'] as const
export type PartKind = (typeof partKinds)[number]

/** A part, and the output in wei without it, or with it; 0 if there is no quote then. */
export type RankedPart = { readonly part: string; readonly amountOut: bigint }

/** The output to compare with, in wei, and the parts that change it, the greatest change first. */
export type Ranking = { readonly amountOut: bigint; readonly parts: readonly RankedPart[] }

type RankingInput = {
  readonly graph: Graph
  readonly order: Order
  /** The order's own limits; parts are left out on top of them. */
  readonly routeLimits: Options
  readonly onPart?: (done: number, all: number) => void
}

/**
 * Ranks the parts of the best route by the output of the best route without them. Parts that the best route
 * does not use are not listed, because without them it is the same. Throws the error of the order if it has
 * no quote.
 */
export function rankWithout(input: RankingInput, kind: PartKind): Ranking {
  const { amountOut, route } = quote(input.graph, input.order, withoutPools(input, []))
  const parts = partsOf(route, kind, input.order)
  const outputs = outputsOf(input, parts, (part) => (pool) => {
    if (kind === 'token') return pool.tokens.includes(part as Address)
    return part === (kind === 'pool' ? pool.id : pool.venue)
  })
  return { amountOut, parts: outputs.toSorted(byOutput) }
}

/**
 * Ranks the venues beside the given ones by the output of the best route through these and each of them.
 * Throws the error of the order if the given venues alone have no quote.
 */
export function rankBeside(input: RankingInput, beside: readonly string[]): Ranking {
  const swapping = swapPoolsOf(input.graph)
  const isOutside = ({ venue }: Pool) => !beside.includes(venue)
  const alone = withoutPools(input, swapping.filter(isOutside))
  const { amountOut } = quote(input.graph, input.order, alone)
  const others = [...new Set(swapping.filter(isOutside).map(({ venue }) => venue))]
  const outputs = outputsOf(
    input,
    others,
    (part) => (pool) => isOutside(pool) && pool.venue !== part,
  )
  return { amountOut, parts: outputs.toSorted((a, b) => byOutput(b, a)) }
}

/** Quotes the order once for each part, without the pools that the part's test names. */
function outputsOf(
  input: RankingInput,
  parts: readonly string[],
  isLeftOut: (part: string) => (pool: Pool) => boolean,
): readonly RankedPart[] {
  return parts.map((part, i) => {
    const left = swapPoolsOf(input.graph).filter(isLeftOut(part))
    const amountOut = outputOrZero(input, withoutPools(input, left))
    input.onPart?.(i + 1, parts.length)
    return { part, amountOut }
  })
}

function swapPoolsOf({ snapshot: { pools, wrappedNative } }: Graph): readonly Pool[] {
  return pools.filter(({ id }) => id !== wrappedNative)
}

/** The pools, venues or tokens between that a route uses, each once. */
function partsOf(route: Route, kind: PartKind, order: Order): readonly string[] {
  const swaps = route.filter(({ pool }) => pool.family !== 'wrap')
  const named = swaps.map(({ pool, direction }): string => {
    if (kind === 'token') return pool.tokens[direction.out]!
    return kind === 'pool' ? pool.id : pool.venue
  })
  const wrap = route.find(({ pool }) => pool.family === 'wrap')
  const ends = new Set<string>([order.tokenIn, order.tokenOut, wrap?.pool.id ?? ''])
  return [...new Set(named)].filter((part) => kind !== 'token' || !ends.has(part))
}

function outputOrZero({ graph, order }: RankingInput, options: Options): bigint {
  const found = tryQuote(graph, order, options)
  return found instanceof BaseError ? 0n : found.amountOut
}

function withoutPools({ routeLimits }: RankingInput, pools: readonly Pool[]): Options {
  const excluded = [...(routeLimits.excludedPools ?? []), ...pools.map(({ id }) => id)]
  return { ...routeLimits, objective: 'gross', excludedPools: new Set(excluded) }
}

function byOutput(a: RankedPart, b: RankedPart): number {
  return Math.sign(Number(a.amountOut - b.amountOut))
}
