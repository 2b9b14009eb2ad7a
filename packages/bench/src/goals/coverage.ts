import { type Address, getAmountOut } from '@braid-swap/core'
import type { Market } from '../market.js'
import { ANY_LEGS, toRequest } from '../request.js'
import { type CoveragePair, coveragePairs } from '../requests.js'
import { tryOne } from '../trial.js'
import type { Goal, Lab, Measured } from './goal.js'

const MAX_HOPS = 5
const GWEI = 0

/**
 * G7: every pair that a path of five hops can trade gets a quote, over all pools, scams included.
 */
export const coverage: Goal = {
  id: 'G7',
  title: 'coverage',
  target:
    '100 % of the pairs (5,000 stratified, every token against WETH and USDC, $100) that an exhaustive search to five hops can serve',
  measure,
}

async function measure(lab: Lab): Promise<Measured> {
  const market = lab.ethereum.whole
  const all = coveragePairs(market, {
    count: lab.isQuick ? 30 : 5_000,
    seed: lab.seed,
    everyToken: !lab.isQuick,
  })
  const ours = await lab.ours.ready(market)
  const missed: CoveragePair[] = []
  let solvable = 0
  for (const [i, pair] of all.entries()) {
    if (i % 1000 === 0) lab.log(`G7: ${i} of ${all.length}`)
    const order = { tokenIn: pair.from, tokenOut: pair.to, amountIn: pair.amountIn }
    const request = toRequest(market, {
      id: `pair-${i}`,
      label: 'coverage',
      order,
      gwei: GWEI,
      maxLegs: ANY_LEGS,
    })
    const { worth } = await tryOne(ours, request)
    if (worth) solvable++
    else if (isServable(market, pair)) {
      solvable++
      missed.push(pair)
    }
  }
  const rate = solvable === 0 ? Number.NaN : (solvable - missed.length) / solvable
  return {
    measured: `${(100 * rate).toFixed(2)} % of ${solvable} servable among ${all.length} pairs, ${missed.length} missed`,
    isReached: missed.length === 0,
    tables: [
      {
        title: 'pairs missed',
        columns: ['from', 'to', 'amount in'],
        rows: missed.slice(0, 30).map(({ from, to, amountIn }) => [from, to, `${amountIn}`]),
      },
    ],
  }
}

/** What reaches a token, and the tokens that it has passed. */
type Reached = { readonly amount: bigint; readonly passed: readonly Address[] }

/**
 * Whether a path of at most `maxHops`, five by default, outputs at least one wei, by breadth-first search.
 * Per token and number of hops only the largest and the smallest amount are kept: output is monotone in
 * input, except that a pool may refuse an input that is too large. No path comes back to a token: a route
 * has no cycles, and a pool that is passed again has another state.
 */
export function isServable(market: Market, pair: CoveragePair, maxHops = MAX_HOPS): boolean {
  const start: Reached = { amount: pair.amountIn, passed: [pair.from] }
  let frontier = new Map([[pair.from, [start]]])
  for (let hop = 0; hop < maxHops; hop++) {
    const next = new Map<Address, Reached[]>()
    for (const [token, ways] of frontier) {
      for (const { pool, direction, tokenOut } of market.edges.from.get(token) ?? []) {
        for (const { amount, passed } of ways) {
          if (passed.includes(tokenOut)) continue
          const out = getAmountOut(pool, direction, amount)
          if (out > 0n && tokenOut === pair.to) return true
          const reached = { amount: out, passed: [...passed, tokenOut] }
          if (out > 0n) next.set(tokenOut, extremes(next.get(tokenOut), reached))
        }
      }
    }
    frontier = next
  }
  return false
}

function extremes(known: readonly Reached[] | undefined, found: Reached): Reached[] {
  if (!known) return [found]
  const low = known[0]!
  const high = known.at(-1)!
  return [found.amount < low.amount ? found : low, found.amount > high.amount ? found : high]
}
