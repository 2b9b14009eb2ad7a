import { Counter, Gauge } from 'prom-client'
import type { ChainClock } from '../clock.js'
import type { LiveMarket } from '../market/liveMarket.js'
import type { Metrics } from './metrics.js'

/** Adds what tells of a late node or a wrong clock. */
export function addClockMetrics(
  { registry }: Pick<Metrics, 'registry'>,
  market: LiveMarket,
  { lagMs, steps }: ChainClock,
): void {
  const registers = [registry]
  new Gauge({
    ...{ name: 'braid_head_lag_seconds', registers },
    help: 'Seconds since the timestamp of the newest block; negative if a clock is wrong',
    collect() {
      const state = market.current()
      if (state) this.set(lagMs(state.graph.snapshot.block.timestamp) / 1_000)
      else this.reset()
    },
  })
  new Counter({
    ...{ name: 'braid_clock_steps_total', registers },
    help: 'Steps of the clock of the machine',
    collect() {
      this.reset()
      this.inc(steps())
    },
  })
}
