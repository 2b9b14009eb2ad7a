import type { Goal, Lab, Measured } from './goal.js'
import { timings } from './latency.js'

/** H6: latency by market size. */
export const growth: Goal = {
  id: 'H6',
  title: 'latency and growth',
  target:
    'one thread, warm, certificate included: real market p50 ≤ 1, p99 ≤ 4 ms; 10,000 pools p50 ≤ 3, p99 ≤ 10 ms; 100,000 pools p50 ≤ 15 ms; exponent of growth ≤ 0.5 above 10,000',
  measure,
}

async function measure(lab: Lab): Promise<Measured> {
  const { real, growth: sizes } = await timings(lab)
  const [middle, large] = sizes.slice(-2)
  const poolsOf = (of: typeof middle) => of?.market.snapshot.pools.length ?? Number.NaN
  const [from, to] = [middle?.best ?? real.best, large?.best ?? real.best]
  const exponent = Math.log(to.p50 / from.p50) / Math.log(poolsOf(large) / poolsOf(middle))
  const show = (ms: number) => ms.toPrecision(3)
  return {
    measured: `real market p50 ${show(real.best.p50)}, p99 ${show(real.best.p99)} ms; ${poolsOf(middle).toLocaleString('en')} pools p50 ${show(from.p50)}, p99 ${show(from.p99)} ms; ${poolsOf(large).toLocaleString('en')} pools p50 ${show(to.p50)} ms; exponent of growth ${exponent.toFixed(2)}`,
    isReached: lab.isQuick
      ? undefined
      : real.best.p50 <= 1 &&
        real.best.p99 <= 4 &&
        from.p50 <= 3 &&
        from.p99 <= 10 &&
        to.p50 <= 15 &&
        exponent <= 0.5,
    figures: [
      { name: 'largest market p50 ms', value: to.p50, better: 'low' },
      { name: 'exponent of growth', value: exponent, better: 'low' },
    ],
  }
}
