import { generateMarket } from '../markets/generated.js'
import type { Goal, Lab, Measured } from './goal.js'
import { type Timed, timeMarket, timesTable } from './timing.js'

const SIZES = [1_000, 10_000, 100_000]

/** The time of a quote by the size of the market. */
export const growth: Goal = {
  name: 'growth',
  question: 'How does that time grow with the number of pools?',
  target:
    '10,000 pools p50 ≤ 3, p99 ≤ 10 ms; 100,000 pools p50 ≤ 15 ms; exponent of growth ≤ 0.5 between them',
  measure,
}

async function measure(lab: Lab): Promise<Measured> {
  const timed: Timed[] = []
  for (const size of lab.isQuick ? SIZES.slice(0, 2) : SIZES) {
    lab.log(`growth: ${size} pools`)
    timed.push(await timeMarket(lab, generateMarket(size, lab.seed), lab.isQuick ? 6 : 100))
  }
  const [middle, large] = timed.slice(-2) as [Timed, Timed]
  const poolsOf = ({ market }: Timed) => market.snapshot.pools.length
  const exponent =
    Math.log(large.best.p50 / middle.best.p50) / Math.log(poolsOf(large) / poolsOf(middle))
  const nameOf = (of: Timed) => `${poolsOf(of).toLocaleString('en')} pools`
  return {
    measured: `${nameOf(middle)} p50 ${middle.best.p50.toPrecision(3)}, p99 ${middle.best.p99.toPrecision(3)} ms; ${nameOf(large)} p50 ${large.best.p50.toPrecision(3)} ms; exponent of growth ${exponent.toFixed(2)}`,
    isReached: lab.isQuick
      ? undefined
      : middle.best.p50 <= 3 && middle.best.p99 <= 10 && large.best.p50 <= 15 && exponent <= 0.5,
    tables: [timesTable(timed)],
    figures: [
      { name: `${nameOf(middle)} p50 ms`, value: middle.best.p50, better: 'low' },
      { name: `${nameOf(middle)} p99 ms`, value: middle.best.p99, better: 'low' },
      { name: `${nameOf(large)} p50 ms`, value: large.best.p50, better: 'low' },
      { name: 'exponent of growth', value: exponent, better: 'low' },
    ],
  }
}
