import { ANY_LEGS } from '../request.js'
import { referenceRequests, smallRequests, stratifiedRequests } from '../requests/requests.js'
import { percentile } from '../stats.js'
import { bpsAt, type Gap, gapsOf } from './gaps.js'
import type { Goal, Lab, Measured, Table } from './goal.js'

const GWEI = 0.1
const SMALL_GWEI = 1
const CAP = 24

/** The gap of ordinary orders to the bound that proves it. */
export const gap: Goal = {
  name: 'gap',
  question: 'How far is the net output from the proved bound?',
  target:
    'large, 24 legs: median ≤ 1 bp, p95 ≤ 10; large, no cap: median ≤ 0.05, p99 ≤ 1; small: UB − net ≤ 1.5 swaps of gas on ≥ 95 %',
  measure,
}

async function measure(lab: Lab): Promise<Measured> {
  const market = lab.ethereum.clean
  const ours = await lab.ours.ready(market)
  const terms = { count: lab.isQuick ? 16 : 400, seed: lab.seed, gwei: GWEI }
  const largeGaps = async (maxLegs: number) => {
    const requests = [
      ...referenceRequests(lab.ethereum, { gwei: GWEI, maxLegs }),
      ...stratifiedRequests(market, { ...terms, maxLegs }),
    ]
    return (await gapsOf(ours, requests)).filter(({ isLarge }) => isLarge)
  }
  const capped = await largeGaps(CAP)
  const free = await largeGaps(ANY_LEGS)
  const small = await gapsOf(ours, smallRequests(market, { ...terms, gwei: SMALL_GWEI }))
  const all = [...capped, ...free, ...small]
  if (all.length === 0) return { measured: 'the router claims no bound', isReached: undefined }
  const nearPart = small.filter(({ inSwaps }) => inSwaps <= 1.5).length / Math.max(1, small.length)
  const broken = all.filter(({ isBroken }) => isBroken).length
  const [medianCapped, p95Capped] = [bpsAt(capped, 0.5), bpsAt(capped, 0.95)]
  const [medianFree, p99Free] = [bpsAt(free, 0.5), bpsAt(free, 0.99)]
  return {
    measured: `24 legs: median ${show(medianCapped)}, p95 ${show(p95Capped)} bp; no cap: median ${show(medianFree)}, p99 ${show(p99Free)} bp; small within 1.5 swaps: ${(100 * nearPart).toFixed(1)} %; bounds exceeded: ${broken} of ${all.length}`,
    isReached:
      medianCapped <= 1 &&
      p95Capped <= 10 &&
      medianFree <= 0.05 &&
      p99Free <= 1 &&
      nearPart >= 0.95 &&
      broken === 0,
    tables: [
      gapTable('large orders, 24 legs', capped),
      gapTable('large orders, no cap', free),
      gapTable('small orders', small),
    ],
    figures: [
      { name: '24 legs median bp', value: medianCapped, better: 'low' },
      { name: '24 legs p95 bp', value: p95Capped, better: 'low' },
      { name: 'no cap median bp', value: medianFree, better: 'low' },
      { name: 'no cap p99 bp', value: p99Free, better: 'low' },
      { name: 'small within 1.5 swaps %', value: 100 * nearPart, better: 'high' },
    ],
  }
}

function gapTable(title: string, gaps: readonly Gap[]): Table {
  const row = (name: string, measureOf: (gap: Gap) => number) => [
    name,
    ...[0.5, 0.9, 0.95, 0.99, 1].map((part) => percentile(gaps.map(measureOf), part)),
  ]
  return {
    title: `${title} (${gaps.length})`,
    columns: ['', 'p50', 'p90', 'p95', 'p99', 'worst'],
    rows: [
      row('gap to the bound, bp', ({ bps }) => bps),
      row('gap in swaps of gas', ({ inSwaps }) => inSwaps),
      row('legs', ({ legs }) => legs),
    ],
  }
}

function show(value: number): string {
  return value.toPrecision(3)
}
