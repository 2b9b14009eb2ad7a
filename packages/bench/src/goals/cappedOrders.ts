import { ordersWorth } from '../requests.js'
import { percentile } from '../stats.js'
import { tryOne } from '../trial.js'
import { toGap } from './gap.js'
import type { Goal, Lab, Measured } from './goal.js'

const CAPS = [3, 4, 6, 8, 12]
const NOTIONALS = [1_000, 10_000, 100_000, 1_000_000, 10_000_000]
const GWEI = 1

/** H4: the certified gap where the number of hops is limited. */
export const cappedOrders: Goal = {
  id: 'H4',
  title: 'capped orders',
  target: 'caps of 3 to 12 legs, $1,000 to $10 million: certified gap p95 ≤ 10 bp',
  measure,
}

async function measure(lab: Lab): Promise<Measured> {
  const market = lab.ethereum.clean
  const ready = await lab.ours.ready(market)
  const gaps: { readonly cap: number; readonly dollars: number; readonly bps: number }[] = []
  for (const dollars of NOTIONALS) {
    lab.log(`H4: $${dollars}`)
    const requests = ordersWorth(market, {
      ...{ count: lab.isQuick ? 2 : 30, seed: lab.seed + 23, label: `$${dollars}`, dollars },
      gwei: GWEI,
    })
    for (const cap of CAPS) {
      for (const request of requests) {
        const gap = toGap(await tryOne(ready, { ...request, maxLegs: cap }))
        if (gap) gaps.push({ cap, dollars, bps: gap.bps })
      }
    }
  }
  const p95 = (of: typeof gaps) =>
    percentile(
      of.map(({ bps }) => bps),
      0.95,
    )
  const cells = NOTIONALS.map((dollars) => [
    `$${dollars.toLocaleString('en')}`,
    ...CAPS.map((cap) => p95(gaps.filter((gap) => gap.cap === cap && gap.dollars === dollars))),
  ])
  const all = p95(gaps)
  const bps = gaps.map((gap) => gap.bps)
  return {
    measured: `${gaps.length} orders: p50 ${percentile(bps, 0.5).toPrecision(3)}, p95 ${all.toPrecision(3)} bp, worst ${percentile(bps, 1).toPrecision(3)}`,
    isReached: all <= 10,
    tables: [
      {
        title: 'p95 of the gap in bp, by notional and cap',
        columns: ['', ...CAPS.map((cap) => `≤ ${cap} legs`)],
        rows: cells,
      },
    ],
    figures: [
      { name: 'p50 bp', value: percentile(bps, 0.5), better: 'low' },
      { name: 'p95 bp', value: all, better: 'low' },
    ],
  }
}
