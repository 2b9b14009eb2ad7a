import type { Market } from '../market.js'
import { generateMarket } from '../markets/generated.js'
import { loadRecorded } from '../markets/recorded.js'
import { tines } from '../peers/tines.js'
import type { Request } from '../request.js'
import { smallRequests, stratifiedRequests } from '../requests.js'
import type { ReadyRouter } from '../routers/router.js'
import { mean, percentile, percentilesOf } from '../stats.js'
import { tryAll } from '../trial.js'
import { type Goal, type Lab, type Measured, once, type Table } from './goal.js'

const GWEI = 1
const CAP = 24
const QUOTES_PER_SECOND = 250
const TINES_FLOWS = 100
const SIZES = [1_000, 10_000, 100_000]

/** G5: one thread, warm, certificate included. */
export const latency: Goal = {
  id: 'G5',
  title: 'latency',
  target:
    'real market p50 ≤ 2, p99 ≤ 8 ms; 10,000 pools p50 ≤ 5, p99 ≤ 10 ms; ≥ 250 quotes/s on the mixed set',
  measure,
}

/** Quotes timed on recorded and generated markets, for G5 and H6. */
export const timings = once(async (lab: Lab) => {
  const count = lab.isQuick ? 12 : 250
  const real = await timeMarket(lab, lab.ethereum.clean, count)
  const rows = [rowOf(real)]
  for (const recorded of loadRecorded()) rows.push(rowOf(await timeMarket(lab, recorded, count)))
  const growth: Timed[] = []
  for (const size of lab.isQuick ? SIZES.slice(0, 2) : SIZES) {
    lab.log(`G5: ${size} pools`)
    const timed = await timeMarket(lab, generateMarket(size, lab.seed), lab.isQuick ? 6 : 100)
    growth.push(timed)
    rows.push(rowOf(timed))
  }
  return { real, growth, rows }
})

async function measure(lab: Lab): Promise<Measured> {
  const { real, growth, rows } = await timings(lab)
  const large = growth[1]!
  const perSecond = 1000 / mean(real.samples)
  return {
    measured: `real market p50 ${show(real.best.p50)}, p99 ${show(real.best.p99)} ms, ${perSecond.toFixed(0)} quotes/s; 10,000 pools p50 ${show(large.best.p50)}, p99 ${show(large.best.p99)} ms`,
    isReached:
      real.best.p50 <= 2 &&
      real.best.p99 <= 8 &&
      large.best.p50 <= 5 &&
      large.best.p99 <= 10 &&
      perSecond >= QUOTES_PER_SECOND,
    tables: [
      {
        title: 'milliseconds per quote: fastest of the repeats of each request, and every repeat',
        columns: [
          'market',
          'pools',
          'requests',
          'p50',
          'p95',
          'p99',
          'all p50',
          'all p95',
          'all p99',
          'ready ms',
        ],
        rows,
      },
      ...(lab.hasPeers ? [await ratiosTo(lab, TINES_FLOWS)] : []),
    ],
    charts: [growthChart(growth)],
    figures: [
      { name: 'real market p50 ms', value: real.best.p50, better: 'low' },
      { name: 'real market p99 ms', value: real.best.p99, better: 'low' },
      { name: '10,000 pools p50 ms', value: large.best.p50, better: 'low' },
      { name: '10,000 pools p99 ms', value: large.best.p99, better: 'low' },
      { name: 'quotes/s', value: perSecond, better: 'high' },
    ],
  }
}

/** Time of Tines relative to ours on the same requests, run in turns so that load affects both. */
async function ratiosTo(lab: Lab, flows: number): Promise<Table> {
  const market = lab.ethereum.clean
  const routers = [await lab.ours.ready(market), await tines(flows).ready(market)]
  const ratios: number[] = []
  for (const request of mixedRequests(market, lab.isQuick ? 4 : 60, lab.seed + 1)) {
    const [ours, theirs] = await tryAll(routers, request, { warmUps: 2, repeats: 5 })
    if (ours!.worth && theirs!.worth) ratios.push(theirs!.ms / ours!.ms)
  }
  return {
    title: `time of Tines with ${flows} flows as a multiple of ours, fastest repeats of ${ratios.length} requests`,
    columns: ['p5', 'p50', 'p95'],
    rows: [[0.05, 0.5, 0.95].map((part) => percentile(ratios, part))],
  }
}

type Timed = {
  readonly market: Market
  readonly requests: number
  readonly readyMs: number
  readonly best: ReturnType<typeof percentilesOf>
  readonly all: ReturnType<typeof percentilesOf>
  readonly samples: readonly number[]
}

async function timeMarket(lab: Lab, market: Market, count: number): Promise<Timed> {
  const start = performance.now()
  const ready = await lab.ours.ready(market)
  const readyMs = performance.now() - start
  const requests = mixedRequests(market, count, lab.seed)
  const { best, samples } = await timeRequests(ready, requests, lab.isQuick)
  return {
    market,
    requests: requests.length,
    readyMs,
    best: percentilesOf(best),
    all: percentilesOf(samples),
    samples,
  }
}

/** Half stratified and half small orders, like the traffic of a public endpoint. */
export function mixedRequests(market: Market, count: number, seed: number): readonly Request[] {
  const terms = { count: Math.ceil(count / 2), gwei: GWEI, maxLegs: CAP }
  return [
    ...stratifiedRequests(market, { ...terms, seed: seed + 10 }),
    ...smallRequests(market, { ...terms, seed: seed + 11 }),
  ]
}

/** The fastest repeat of each request and every repeat, in milliseconds; the code is warm. */
async function timeRequests(
  router: ReadyRouter,
  requests: readonly Request[],
  isQuick: boolean,
): Promise<{ readonly best: readonly number[]; readonly samples: readonly number[] }> {
  for (const request of requests.slice(0, isQuick ? 3 : 50)) await router.quote(request)
  const timing = isQuick ? { warmUps: 1, repeats: 3 } : { warmUps: 5, repeats: 15 }
  const best: number[] = []
  const samples: number[] = []
  for (const request of requests) {
    const [trial] = await tryAll([router], request, timing)
    best.push(trial!.ms)
    samples.push(...trial!.samplesMs)
  }
  return { best, samples }
}

function rowOf({ market, requests, readyMs, best, all }: Timed): readonly (string | number)[] {
  const pools = market.snapshot.pools.length
  const cells = [best.p50, best.p95, best.p99, all.p50, all.p95, all.p99, readyMs]
  return [market.name, pools, requests, ...cells]
}

function growthChart(timed: readonly Timed[]) {
  const values = timed.flatMap(({ market, best }) =>
    Object.entries(best).map(([part, ms]) => ({ pools: market.snapshot.pools.length, part, ms })),
  )
  return {
    name: 'growth',
    spec: {
      title: 'Quote latency by market size',
      data: { values },
      mark: { type: 'line', point: true },
      encoding: {
        x: { field: 'pools', type: 'quantitative', scale: { type: 'log' } },
        y: { field: 'ms', type: 'quantitative', scale: { type: 'log' }, title: 'ms' },
        color: { field: 'part', type: 'nominal', title: null },
      },
    },
  }
}

function show(ms: number): string {
  return ms.toPrecision(3)
}
