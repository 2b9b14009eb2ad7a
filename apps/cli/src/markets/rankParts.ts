// What each part of a market is worth to an order. Input: a graph, an order and what a part is: a pool, a
// venue or a token between. Output: the order's quote, and what it would be without each part (leave one
// out), or with each further venue beside the chosen ones (add one). Outputs are before gas, so that more
// pools never count as a loss.

import {
  type Address,
  BaseError,
  type Graph,
  type Hex,
  type Options,
  type Order,
  quote,
  type Route,
} from '@braid-swap/core'
import { isNoQuote } from './priceCurve.js'

/** What is left out or added, one at a time. */
export const parts = ['pool', 'venue', 'token'] as const
export type Part = (typeof parts)[number]

/** A part, and the output in wei without it, or with it; 0 if there is no quote then. */
export type RankedPart = { readonly part: string; readonly amountOut: bigint }

/** The output with what is compared against, in wei, and the parts that change it, the greatest change first. */
export type Ranking = { readonly amountOut: bigint; readonly parts: readonly RankedPart[] }

type Asked = {
  readonly graph: Graph
  readonly order: Order
  /** The order's own lists; parts are left out on top of them. */
  readonly terms: Options
  readonly onPart?: (done: number, all: number) => void
}

/**
 * The parts of the best route, each with the output of the best route without it. What the best route does
 * not use is not listed, because without it the best route is the same. Throws the error of the order if
 * it has no quote.
 */
export function rankWithout(asked: Asked, by: Part): Ranking {
  const { amountOut, route } = quote(asked.graph, asked.order, gross(asked.terms))
  const { snapshot } = asked.graph
  const used = partsOf(route, by, asked.order)
  const amounts = used.map((part, i) => {
    const left = snapshot.pools.filter(
      (pool) =>
        pool.id !== snapshot.wrappedNative &&
        (by === 'token'
          ? pool.tokens.includes(part as Address)
          : part === (by === 'pool' ? pool.id : pool.venue)),
    )
    const without = tryOutput(asked, excluding(asked.terms, left))
    asked.onPart?.(i + 1, used.length)
    return { part, amountOut: without }
  })
  return { amountOut, parts: byOutput(amounts, 1) }
}

/**
 * The venues beside the given ones, each with the output of the best route through them and it. Throws the
 * error of the order if the given venues alone have no quote.
 */
export function rankBeside(asked: Asked, beside: readonly string[]): Ranking {
  const { pools, wrappedNative } = asked.graph.snapshot
  const swapping = pools.filter(({ id }) => id !== wrappedNative)
  const outside = (venues: readonly string[]) =>
    excluding(
      asked.terms,
      swapping.filter(({ venue }) => !venues.includes(venue)),
    )
  const { amountOut } = quote(asked.graph, asked.order, gross(outside(beside)))
  const others = [...new Set(swapping.map(({ venue }) => venue))].filter(
    (venue) => !beside.includes(venue),
  )
  const amounts = others.map((part, i) => {
    const together = tryOutput(asked, outside([...beside, part]))
    asked.onPart?.(i + 1, others.length)
    return { part, amountOut: together }
  })
  return { amountOut, parts: byOutput(amounts, -1) }
}

/** The pools, venues or tokens between that a route uses, each once. */
function partsOf(route: Route, by: Part, order: Order): readonly string[] {
  const swaps = route.filter(({ pool }) => pool.family !== 'wrap')
  const named = swaps.flatMap(({ pool, direction }): readonly string[] => {
    if (by === 'token') return [pool.tokens[direction.out]!]
    return [by === 'pool' ? pool.id : pool.venue]
  })
  const wrap = route.find(({ pool }) => pool.family === 'wrap')
  const ends = new Set<string>([order.tokenIn, order.tokenOut, wrap?.pool.id ?? ''])
  return [...new Set(named)].filter((part) => by !== 'token' || !ends.has(part))
}

function tryOutput({ graph, order }: Asked, terms: Options): bigint {
  try {
    return quote(graph, order, gross(terms)).amountOut
  } catch (error) {
    if (error instanceof BaseError && isNoQuote(error)) return 0n
    throw error
  }
}

function gross(terms: Options): Options {
  return { ...terms, objective: 'gross' }
}

function excluding(terms: Options, pools: readonly { readonly id: Hex }[]): Options {
  const ids = pools.map(({ id }) => id)
  return { ...terms, excludedPools: new Set([...(terms.excludedPools ?? []), ...ids]) }
}

/** Sorted by output, ascending for 1 and descending for -1. */
function byOutput(amounts: readonly RankedPart[], sign: 1 | -1): readonly RankedPart[] {
  return amounts.toSorted((a, b) => sign * Math.sign(Number(a.amountOut - b.amountOut)))
}
