/**
 * The searches behind requests, by name. Input: a graph, what is asked, options. Output: an answer. They are pure and
 * their inputs are plain, so that they can run in another thread.
 */
import type { ExactOutOrder, Graph, Order, QuoteOptions } from '@braid-swap/core'
import { worthLostBps } from '@braid-swap/core/advanced'
import { ApiError } from '../errors.js'
import { type ExactOutSale, quoteInput, quoteSwapFor, type Sale } from '../quoting/exactOut.js'
import { searchNearest } from '../quoting/nearest.js'
import { type QuoteAnswer, quoteEstimate, quoteExact } from '../quoting/quoting.js'
import { compare } from '../quoting/singlePools.js'
import { findPrices } from '../tokens/prices.js'

type SoldExactly = { readonly order: Order; readonly answer: Sale['answer'] }
type SoldRoughly = { readonly order: Order; readonly answer: QuoteAnswer }

/** With the worth of its output beside that of its input, because the prices of a market are known where it is searched. */
function valued<T extends SoldRoughly>(graph: Graph, sold: T): T {
  const { order, answer } = sold
  return {
    ...sold,
    answer: { ...answer, worthLostBps: worthLostBps(graph, order, answer.amountOut) },
  }
}

const searches = {
  sell: (graph: Graph, order: Order, options: QuoteOptions): SoldExactly =>
    valued(graph, { order, answer: quoteExact(graph, order, options) }),
  estimate: (graph: Graph, order: Order, options: QuoteOptions): SoldRoughly =>
    valued(graph, { order, answer: quoteEstimate(graph, order, options) }),
  buy: (graph: Graph, wanted: ExactOutOrder, options: QuoteOptions): Sale =>
    valued(graph, quoteInput(graph, wanted, options)),
  deliver: (
    graph: Graph,
    { slippagePpm, ...wanted }: ExactOutOrder & { readonly slippagePpm: bigint },
    options: QuoteOptions,
  ): ExactOutSale => valued(graph, quoteSwapFor(graph, wanted, { slippagePpm, ...options })),
  nearest: searchNearest,
  compare,
  price: findPrices,
} as const

/** The name of a search. */
export type SearchName = keyof typeof searches
/** A search to run: its name, what is asked, and the solver's options without functions. */
export type Search<N extends SearchName> = {
  readonly name: N
  readonly asked: Parameters<(typeof searches)[N]>[1]
  readonly options: QuoteOptions
}
/** The answer of a search. */
export type Found<N extends SearchName> = ReturnType<(typeof searches)[N]>

/** What a search found, or the error that it threw, and its time in milliseconds. */
export type Outcome<T> = {
  readonly tookMs: number
} & ({ readonly value: T } | { readonly error: unknown })

/** Not an error of the core's, which searches catch to go on. */
class TimeOver extends Error {
  override readonly name = 'TimeOver'
}

/**
 * Runs a search. When its time is over, its outcome is DEADLINE_EXCEEDED and not the best route so far, because only
 * the order decides an answer. Never throws.
 */
export function runSearch<N extends SearchName>(
  graph: Graph,
  { name, asked, options }: Search<N>,
  limitMs: number,
): Outcome<Found<N>> {
  const startMs = performance.now()
  const elapsed = () => performance.now() - startMs
  const shouldStop = () => {
    if (elapsed() > limitMs) throw new TimeOver()
    return false
  }
  // TypeScript does not see that the name decides about both.
  const search = searches[name] as (
    graph: Graph,
    asked: Search<N>['asked'],
    options: QuoteOptions,
  ) => Found<N>
  try {
    const value = search(graph, asked, { shouldStop, ...options })
    return { tookMs: elapsed(), value }
  } catch (thrown) {
    const isLate = thrown instanceof TimeOver
    const error = isLate
      ? new ApiError('DEADLINE_EXCEEDED', `the search took ${limitMs} ms`)
      : thrown
    return { tookMs: elapsed(), error }
  }
}
