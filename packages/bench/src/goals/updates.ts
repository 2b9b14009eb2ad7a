import type { Pool } from '@braid-swap/core'
import { generateBlockDiff } from '../markets/blockDiff.js'
import { generateMarket } from '../markets/generated.js'
import { percentile, percentilesOf } from '../stats.js'
import { tryOne } from '../trial.js'
import type { Goal, Lab, Measured } from './goal.js'
import { mixedRequests } from './latency.js'

const POOLS = 10_000
const MOVED = 500
const MAX_UPDATE_MS = 1
const MAX_SLOWDOWN = 1.3
const MAX_COLD_MS = 300

/** G6: the time to apply a block, and its effect on the latency of quotes. */
export const updates: Goal = {
  id: 'G6',
  title: 'updates',
  target:
    '500-pool block ≤ 1 ms; p99 under continuous updates ≤ 1.3 × idle; cold start on 10,000 pools ≤ 300 ms',
  measure,
}

async function measure(lab: Lab): Promise<Measured> {
  const market = generateMarket(lab.isQuick ? POOLS / 10 : POOLS, lab.seed)
  const colds: number[] = []
  let ready = await lab.ours.ready(market)
  for (let i = 0; i < (lab.isQuick ? 1 : 5); i++) {
    // A copy of every pool, so that no cache by reference makes the start warm.
    const pools = market.snapshot.pools.map((pool) => ({ ...pool }))
    const copy = { ...market, snapshot: { ...market.snapshot, pools } }
    const start = performance.now()
    ready = await lab.ours.ready(copy)
    colds.push(performance.now() - start)
  }
  const coldMs = Math.min(...colds)
  const requests = mixedRequests(market, lab.isQuick ? 8 : 150, lab.seed)
  const rounds = lab.isQuick ? 1 : 5
  const idle: number[] = []
  const busy: number[] = []
  const updateMs: number[] = []
  if (!ready.update)
    return {
      measured: `no incremental update; cold start ${coldMs.toFixed(0)} ms`,
      isReached: undefined,
    }
  const unmoved = new Map(market.snapshot.pools.map((pool) => [pool.id, pool]))
  let moved: readonly Pool[] = []
  for (let round = 0; round < rounds + 1; round++) {
    for (const [i, request] of requests.entries()) {
      // Consecutive blocks, as a service follows them, so that unchanged pools keep their caches.
      // Every second block restores the pools; without traders, arbitrage would otherwise
      // accumulate.
      moved =
        i % 2
          ? moved.map(({ id }) => unmoved.get(id)!)
          : generateBlockDiff(market.snapshot, MOVED, lab.seed + i)
      const start = performance.now()
      ready = ready.update!(moved)
      const ms = performance.now() - start
      const after = (await tryOne(ready, request)).ms
      // The same quote on the same market without a pending update. This is the baseline, because a
      // moved market is harder to solve.
      const again = (await tryOne(ready, request)).ms
      // The first round warms the code.
      if (round === 0) continue
      idle.push(again)
      updateMs.push(ms)
      busy.push(after)
    }
  }
  const update = percentilesOf(updateMs)
  const slowdown = percentile(busy, 0.99) / percentile(idle, 0.99)
  return {
    measured: `500 pools in ${update.p50.toPrecision(3)} ms (p50), ${update.p99.toPrecision(3)} (p99); p99 × ${slowdown.toFixed(2)} under updates; cold start ${coldMs.toFixed(0)} ms`,
    isReached: update.p50 <= MAX_UPDATE_MS && slowdown <= MAX_SLOWDOWN && coldMs <= MAX_COLD_MS,
    tables: [
      {
        title: `milliseconds on ${market.name}`,
        columns: ['', 'p50', 'p95', 'p99'],
        rows: [
          ['update of 500 pools', update.p50, update.p95, update.p99],
          ['the same quote again', ...Object.values(percentilesOf(idle))],
          ['quote directly after an update', ...Object.values(percentilesOf(busy))],
        ],
      },
    ],
  }
}
