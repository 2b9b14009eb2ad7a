import type { Pool } from '@braid-swap/core'
import { generateBlockDiff } from '../markets/blockDiff.js'
import { generateMarket } from '../markets/generated.js'
import { type Percentiles, percentile, percentilesOf } from '../stats.js'
import { tryOne } from '../trial.js'
import { type Goal, type Lab, type Measured, once } from './goal.js'
import { mixedRequests } from './latency.js'

const POOLS = 10_000
const MOVED = 500
const MAX_SLOWDOWN = 1.3
const MAX_COLD_MS = 200

/** G6: the time to apply a block, and its effect on the latency of quotes. */
export const updates: Goal = {
  id: 'G6',
  title: 'updates',
  target:
    '500-pool block ≤ 1 ms; p99 under continuous updates ≤ 1.3 × idle; cold start on 10,000 pools ≤ 200 ms',
  measure: async (lab) => judge(await timedUpdates(lab), (of) => of.p99Slowdown, Infinity),
}

/** H7: the same with the block's p99, and the quote right after a block at the median. */
export const blockUpdates: Goal = {
  id: 'H7',
  title: 'updates, p99',
  target:
    '500-pool block ≤ 1 ms p50, ≤ 2 ms p99; the same quote right after a block ≤ 1.3 × idle; cold start on 10,000 pools ≤ 200 ms',
  measure: async (lab) => judge(await timedUpdates(lab), (of) => of.slowdown, 2),
}

type Updates = {
  readonly market: string
  readonly coldMs: number
  /** Absent without an incremental update. */
  readonly times?: {
    readonly update: Percentiles
    readonly idle: Percentiles
    readonly busy: Percentiles
    /** Time of a quote right after a block over the same quote again, at the median and at p99. */
    readonly slowdown: number
    readonly p99Slowdown: number
  }
}

function judge(
  { market, coldMs, times }: Updates,
  slowdownOf: (times: NonNullable<Updates['times']>) => number,
  maxP99Ms: number,
): Measured {
  const cold = `cold start ${coldMs.toFixed(0)} ms`
  if (!times) return { measured: `no incremental update; ${cold}`, isReached: undefined }
  const { update, idle, busy } = times
  const slowdown = slowdownOf(times)
  return {
    measured: `500 pools in ${update.p50.toPrecision(3)} ms (p50), ${update.p99.toPrecision(3)} (p99); × ${slowdown.toFixed(2)} right after an update; ${cold}`,
    isReached:
      update.p50 <= 1 &&
      update.p99 <= maxP99Ms &&
      slowdown <= MAX_SLOWDOWN &&
      coldMs <= MAX_COLD_MS,
    tables: [
      {
        title: `milliseconds on ${market}`,
        columns: ['', 'p50', 'p95', 'p99'],
        rows: [
          ['update of 500 pools', ...Object.values(update)],
          ['the same quote again', ...Object.values(idle)],
          ['quote directly after an update', ...Object.values(busy)],
        ],
      },
    ],
    figures: [
      { name: 'update p50 ms', value: update.p50, better: 'low' },
      { name: 'update p99 ms', value: update.p99, better: 'low' },
      { name: 'cold start ms', value: coldMs, better: 'low' },
    ],
  }
}

const timedUpdates = once(async (lab: Lab): Promise<Updates> => {
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
  if (!ready.update) return { market: market.name, coldMs }
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
  const ratio = (part: number) => percentile(busy, part) / percentile(idle, part)
  return {
    market: market.name,
    coldMs,
    times: {
      update: percentilesOf(updateMs),
      idle: percentilesOf(idle),
      busy: percentilesOf(busy),
      slowdown: ratio(0.5),
      p99Slowdown: ratio(0.99),
    },
  }
})
