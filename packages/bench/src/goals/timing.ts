import type { Market } from '../market.js'
import { mixedRequests } from '../requests/requests.js'
import { type Percentiles, percentilesOf } from '../stats.js'
import type { Lab } from './goal.js'
import { tryAll } from './trial.js'

/** Quotes of one market, timed on one thread with warm code. Times in milliseconds. */
export type Timed = {
  readonly market: Market
  readonly requests: number
  /** Time until the first quote can be answered. */
  readonly readyMs: number
  /** Of the fastest repeat of each request. */
  readonly best: Percentiles
  /** Of every repeat. */
  readonly all: Percentiles
  /** Every repeat. */
  readonly samples: readonly number[]
}

/** Times our router on mixed requests. */
export async function timeMarket(lab: Lab, market: Market, count: number): Promise<Timed> {
  const start = performance.now()
  const ready = await lab.ours.ready(market)
  const readyMs = performance.now() - start
  const requests = mixedRequests(market, count, lab.seed)
  for (const request of requests.slice(0, lab.isQuick ? 3 : 50)) await ready.quote(request)
  const timing = lab.isQuick ? { warmUps: 1, repeats: 3 } : { warmUps: 5, repeats: 15 }
  const best: number[] = []
  const samples: number[] = []
  for (const request of requests) {
    const [trial] = await tryAll([ready], request, timing)
    best.push(trial!.ms)
    samples.push(...trial!.samplesMs)
  }
  const [bestOf, all] = [percentilesOf(best), percentilesOf(samples)]
  return { market, requests: requests.length, readyMs, best: bestOf, all, samples }
}

/** One row for each market. */
export function timesTable(timed: readonly Timed[]) {
  return {
    title: 'milliseconds per quote: fastest of the repeats of each request, and every repeat',
    columns: [
      ...['market', 'pools', 'requests', 'p50', 'p95', 'p99'],
      ...['all p50', 'all p95', 'all p99', 'ready ms'],
    ],
    rows: timed.map(({ market, requests, readyMs, best, all }) => [
      ...[market.name, market.snapshot.pools.length, requests, best.p50, best.p95, best.p99],
      ...[all.p50, all.p95, all.p99, readyMs],
    ]),
  }
}
