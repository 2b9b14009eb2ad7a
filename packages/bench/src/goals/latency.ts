import { loadRecorded } from '../markets/recorded.js'
import { tines } from '../peers/tines.js'
import { mixedRequests } from '../requests/requests.js'
import { mean, percentile } from '../stats.js'
import type { Goal, Lab, Measured, Table } from './goal.js'
import { type Timed, timeMarket, timesTable } from './timing.js'
import { tryAll } from './trial.js'

const MIN_QUOTES_PER_SECOND = 250
const TINES_FLOWS = 100

/** The time of a quote on recorded markets. */
export const latency: Goal = {
  name: 'latency',
  question: 'How long does a quote take on a real market, bound included?',
  target: 'real market p50 ≤ 1, p99 ≤ 4 ms; ≥ 250 quotes/s on the mixed set',
  measure,
}

async function measure(lab: Lab): Promise<Measured> {
  const timed: Timed[] = []
  for (const market of [lab.ethereum.clean, ...loadRecorded()]) {
    timed.push(await timeMarket(lab, market, lab.isQuick ? 12 : 250))
  }
  const { best, samples } = timed[0]!
  const perSecond = 1000 / mean(samples)
  return {
    measured: `real market p50 ${best.p50.toPrecision(3)}, p99 ${best.p99.toPrecision(3)} ms, ${perSecond.toFixed(0)} quotes/s`,
    isReached: best.p50 <= 1 && best.p99 <= 4 && perSecond >= MIN_QUOTES_PER_SECOND,
    tables: [timesTable(timed), ...(lab.hasPeers ? [await ratiosToTines(lab)] : [])],
    figures: [
      { name: 'real market p50 ms', value: best.p50, better: 'low' },
      { name: 'real market p99 ms', value: best.p99, better: 'low' },
      { name: 'quotes/s', value: perSecond, better: 'high' },
    ],
  }
}

/** The time of Tines relative to ours on the same requests, in turns so that load affects both. */
async function ratiosToTines(lab: Lab): Promise<Table> {
  const market = lab.ethereum.clean
  const routers = [await lab.ours.ready(market), await tines(TINES_FLOWS).ready(market)]
  const ratios: number[] = []
  for (const request of mixedRequests(market, lab.isQuick ? 4 : 60, lab.seed + 1)) {
    const [ours, theirs] = await tryAll(routers, request, { warmUps: 2, repeats: 5 })
    if (ours!.worth && theirs!.worth) ratios.push(theirs!.ms / ours!.ms)
  }
  return {
    title: `time of Tines with ${TINES_FLOWS} flows as a multiple of ours, fastest repeats of ${ratios.length} requests`,
    columns: ['p5', 'p50', 'p95'],
    rows: [[0.05, 0.5, 0.95].map((part) => percentile(ratios, part))],
  }
}
