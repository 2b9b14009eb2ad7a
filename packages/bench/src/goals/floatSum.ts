import { buildGraph, prepare, replay, solve } from '@braid-swap/core'
import { referenceRequests, smallRequests, stratifiedRequests } from '../requests.js'
import { percentile } from '../stats.js'
import type { Goal, Lab, Measured } from './goal.js'

const GWEI = 0.1
const CAP = 24
const REPEATS = 5

/** Q1: the error of `exactQuote=no` compared with the exact replay, and the time that it saves. */
export const floatSum: Goal = {
  id: 'Q1',
  title: 'float sum',
  target: 'no target: error of the float estimate without the exact replay, and time of the replay',
  measure,
}

async function measure(lab: Lab): Promise<Measured> {
  const market = lab.ethereum.clean
  const graph = prepare(buildGraph(market.snapshot))
  const terms = { count: lab.isQuick ? 20 : 300, seed: lab.seed + 9, gwei: GWEI, maxLegs: CAP }
  const requests = [
    ...referenceRequests(lab.ethereum, terms),
    ...stratifiedRequests(market, terms),
    ...smallRequests(market, terms),
  ]
  const errors: number[] = []
  const parts: number[] = []
  let above = 0
  for (const { order, gasPrice, maxLegs } of requests) {
    const ask = () => solve(graph, order, { gasPrice, maxLegs })
    const solution = ask()
    if (!solution) continue
    const { hops, amountOut, estimate } = solution
    errors.push(Math.abs(Number(estimate - amountOut)) / Number(amountOut))
    if (estimate > amountOut) above++
    parts.push(fastest(() => replay(hops, order)) / fastest(ask))
  }
  const at = (values: readonly number[], part: number) => percentile(values, part).toPrecision(2)
  return {
    measured: `${errors.length} quotes: error median ${at(errors, 0.5)}, p99 ${at(errors, 0.99)}, worst ${at(errors, 1)} of the output, too high in ${above}; the replay takes ${at(
      parts.map((x) => 100 * x),
      0.5,
    )} % of a quote (p99 ${at(
      parts.map((x) => 100 * x),
      0.99,
    )} %)`,
    isReached: true,
    tables: [],
  }
}

function fastest(run: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < REPEATS; i++) {
    const start = performance.now()
    run()
    best = Math.min(best, performance.now() - start)
  }
  return best
}
