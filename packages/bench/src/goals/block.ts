import type { Pool } from '@braid-swap/core'
import type { Market } from '../market.js'
import { generateBlockDiff } from '../markets/blockDiff.js'
import { generateMarket } from '../markets/generated.js'
import { mixedRequests } from '../requests/requests.js'
import type { ReadyRouter } from '../routers/router.js'
import { percentile, percentilesOf } from '../stats.js'
import type { Goal, Lab, Measured } from './goal.js'
import { tryOne } from './trial.js'

const POOLS = 10_000
const MOVED = 500
const MAX_SLOWDOWN = 1.3
const MAX_COLD_MS = 200

/** The time to follow a block, and its effect on the next quote. */
export const block: Goal = {
  name: 'block',
  question: 'How long does a block take to apply, and does it slow the next quote?',
  target:
    '500-pool block ≤ 1 ms p50, ≤ 2 ms p99; the same quote right after a block ≤ 1.3 × idle; cold start on 10,000 pools ≤ 200 ms',
  measure,
}

async function measure(lab: Lab): Promise<Measured> {
  const market = generateMarket(lab.isQuick ? POOLS / 10 : POOLS, lab.seed)
  const coldMs = await coldStartOf(lab, market)
  const { updates, after, again } = await timeBlocks(lab, market)
  const update = percentilesOf(updates)
  const slowdown = percentile(after, 0.5) / percentile(again, 0.5)
  return {
    measured: `${MOVED} pools in ${update.p50.toPrecision(3)} ms (p50), ${update.p99.toPrecision(3)} (p99); × ${slowdown.toFixed(2)} right after a block; cold start ${coldMs.toFixed(0)} ms`,
    isReached:
      update.p50 <= 1 && update.p99 <= 2 && slowdown <= MAX_SLOWDOWN && coldMs <= MAX_COLD_MS,
    tables: [
      {
        title: `milliseconds on ${market.name}`,
        columns: ['', 'p50', 'p95', 'p99'],
        rows: [
          [`block of ${MOVED} pools`, ...Object.values(update)],
          ['quote right after a block', ...Object.values(percentilesOf(after))],
          ['the same quote again', ...Object.values(percentilesOf(again))],
        ],
      },
    ],
    figures: [
      { name: 'block p50 ms', value: update.p50, better: 'low' },
      { name: 'block p99 ms', value: update.p99, better: 'low' },
      { name: 'cold start ms', value: coldMs, better: 'low' },
    ],
  }
}

async function coldStartOf(lab: Lab, market: Market): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < (lab.isQuick ? 1 : 5); i++) {
    // A copy of every pool, so that no cache by reference makes the start warm.
    const pools = market.snapshot.pools.map((pool) => ({ ...pool }))
    const start = performance.now()
    await lab.ours.ready({ ...market, snapshot: { ...market.snapshot, pools } })
    times.push(performance.now() - start)
  }
  return Math.min(...times)
}

/** Times, in milliseconds, of consecutive blocks and of a quote after each. */
async function timeBlocks(lab: Lab, market: Market) {
  let ready: ReadyRouter = await lab.ours.ready(market)
  const requests = mixedRequests(market, lab.isQuick ? 8 : 150, lab.seed)
  const unmoved = new Map(market.snapshot.pools.map((pool) => [pool.id, pool]))
  const updates: number[] = []
  const after: number[] = []
  const again: number[] = []
  let moved: readonly Pool[] = []
  for (let round = 0; round <= (lab.isQuick ? 1 : 5); round++) {
    for (const [i, request] of requests.entries()) {
      // Every second block restores the pools; without traders, arbitrage would otherwise accumulate.
      moved =
        i % 2
          ? moved.map(({ id }) => unmoved.get(id)!)
          : generateBlockDiff(market.snapshot, MOVED, lab.seed + i)
      const start = performance.now()
      ready = ready.update!(moved)
      const updateMs = performance.now() - start
      const afterMs = (await tryOne(ready, request)).ms
      // The baseline is the same market without a pending block: a moved market is harder to solve.
      const againMs = (await tryOne(ready, request)).ms
      // The first round warms the code.
      if (round === 0) continue
      updates.push(updateMs)
      after.push(afterMs)
      again.push(againMs)
    }
  }
  return { updates, after, again }
}
