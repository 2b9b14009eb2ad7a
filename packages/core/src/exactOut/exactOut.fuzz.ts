import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buildGraph } from '../graph.js'
import { snapshotOf } from '../testing/arbitraryMarkets.js'
import { anyExactOutCase, checkExactOut, tryQuote } from '../testing/checkExactOut.js'

// BRAID_FUZZ_ORDERS exact-output orders over random markets. Every answer is checked, and compared
// with an exact-input quote: what the input of the answer buys if it is sold exactly.
const seed = process.env['BRAID_FUZZ_SEED']
const orders = Number(process.env['BRAID_FUZZ_ORDERS'] ?? 10_000)

it(`pays at least the wanted amount for the least input, in ${orders} orders`, () => {
  const tally: Record<string, number> = {}
  const count = (what: string) => {
    tally[what] = (tally[what] ?? 0) + 1
  }
  const gaps: number[] = []
  const overshoots: number[] = []
  const losses: number[] = []
  fc.assert(
    fc.property(anyExactOutCase, ({ pools, gasPrice, order }) => {
      const graph = buildGraph(snapshotOf(pools, gasPrice))
      const checked = checkExactOut(graph, order)
      if (typeof checked === 'string') return count(checked)
      const { answer, gapBps } = checked
      count('answered')
      if (gapBps === undefined) count('without a bound')
      else gaps.push(gapBps)
      if (answer.amountOut > answer.wanted) count('pays more than wanted')
      overshoots.push(Number(answer.amountOut - answer.wanted))
      const sold = tryQuote(graph, answer.order)
      if (sold && sold.amountOut > answer.amountOut) {
        losses.push((1 - Number(answer.amountOut) / Number(sold.amountOut)) * 1e4)
      } else losses.push(0)
    }),
    { numRuns: orders, endOnFailure: true, ...(seed !== undefined && { seed: Number(seed) }) },
  )
  console.log(JSON.stringify({ tally, gapBps: spread(gaps), lossBps: spread(losses) }))
  console.log(JSON.stringify({ overshootWei: spread(overshoots) }))
  expect(tally['answered']).toBeGreaterThan(orders / 4)
})

/** Percentiles of values. */
function spread(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))]
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) }
}
