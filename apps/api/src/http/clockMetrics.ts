import type { ChainClock } from '../clock.js'
import type { LiveMarket } from '../market/liveMarket.js'
import { addCounter, addGauge, type InRegistry } from './readers.js'

/** Adds what tells of a late node or a wrong clock. */
export function addClockMetrics(
  metrics: InRegistry,
  market: LiveMarket,
  { lagMs, steps }: ChainClock,
): void {
  const help = 'Seconds since the timestamp of the newest block; negative if a clock is wrong'
  addGauge(metrics, 'braid_head_lag_seconds', help, () => {
    const state = market.current()
    return state && !market.recorded
      ? lagMs(state.graph.snapshot.block.timestamp) / 1_000
      : undefined
  })
  addCounter(metrics, 'braid_clock_steps_total', 'Steps of the clock of the machine', steps)
}
