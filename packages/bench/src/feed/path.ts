/**
 * The way from a block to a certified quote, which every process of the benchmark goes: the graph of
 * the block, and a quote with its upper bound.
 */
import {
  type Address,
  buildGraph,
  type Graph,
  type Order,
  prepare,
  quote,
  type Snapshot,
} from '@braid-swap/core'

/** Wei. */
const AMOUNT = 10n ** 18n

/** An order between the two tokens that most pools have. */
export function busiestOrder({ pools }: Snapshot): Order {
  const counts = new Map<Address, number>()
  for (const { tokens } of pools) {
    for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1)
  }
  const [tokenIn, tokenOut] = [...counts].sort(([, a], [, b]) => b - a).map(([token]) => token)
  return { tokenIn: tokenIn!, tokenOut: tokenOut!, amountIn: AMOUNT }
}

/** The graph of the next block, after the first certified quote on it. Throws if a quote has no bound. */
export function quoteNext(snapshot: Snapshot, order: Order, before: Graph | undefined): Graph {
  const graph = prepare(buildGraph(snapshot, before), before)
  if (!quote(graph, order, { objective: 'net' }).bound) throw new Error('a quote without a bound')
  return graph
}

/** Milliseconds on the clock that all processes of a machine share. */
export const machineMs = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000
