import { lastUpTo, tickCumulativeAt, volatilityBetween } from '../../math/volatility.js'
import type { Timepoint, VolatilityOracle } from './pool.js'

/** Window of averages, in seconds. VolatilityOracle.WINDOW, integral-base-plugin@1.2.1 */
const WINDOW = 86_400
const WINDOW_SECONDS = BigInt(WINDOW)
/** Slots of the ring buffer; one more timepoint overwrites the oldest. */
const RING = 65_536

/**
 * The oracle after a write at `timestamp`, at most one per block, in a pool that was at `tick`
 * since the newest timepoint. Timepoints that no later fee needs are dropped.
 * VolatilityOracle.write
 */
export function writeTimepoint(
  oracle: VolatilityOracle,
  { timestamp, tick }: { readonly timestamp: number; readonly tick: number },
): VolatilityOracle {
  const { timepoints } = oracle
  const last = timepoints.at(-1)!
  if (last.timestamp === timestamp) return oracle
  const averageTick = averageTickAt(oracle, { timestamp, tick })
  const elapsed = BigInt(timestamp - last.timestamp)
  const written: Timepoint = {
    timestamp,
    tickCumulative: last.tickCumulative + BigInt(tick) * elapsed,
    volatilityCumulative:
      last.volatilityCumulative +
      volatilityBetween({
        ...{ elapsed, ticks: [tick, tick], averages: [oracle.averageTick, averageTick] },
      }),
  }
  const kept = timepoints.length === RING ? timepoints.slice(1) : timepoints
  return pruneTimepoints({ averageTick, timepoints: [...kept, written] })
}

/** The oracle without timepoints before the window of the newest one. */
export function pruneTimepoints(oracle: VolatilityOracle): VolatilityOracle {
  const { timepoints } = oracle
  const first = lastUpTo(timepoints, timepoints.at(-1)!.timestamp - WINDOW)
  return first > 0 ? { ...oracle, timepoints: timepoints.slice(first) } : oracle
}

/**
 * Average volatility over the day before the newest timepoint, or over its whole history if
 * shorter. The start of the window is between the first two timepoints.
 * VolatilityOracle.getAverageVolatility in the block of that timepoint
 */
export function averageVolatility({ timepoints }: VolatilityOracle): bigint {
  const last = timepoints.at(-1)!
  const [first, second] = timepoints as readonly [Timepoint, Timepoint?]
  const age = last.timestamp - first.timestamp
  if (age < WINDOW || second === undefined) {
    // With less than a day, the contract divides by one second less (Bessel's correction).
    const seconds = BigInt(age > 1 ? age - 1 : 1)
    return (last.volatilityCumulative - first.volatilityCumulative) / seconds
  }
  const span = BigInt(second.timestamp - first.timestamp)
  const rise = second.volatilityCumulative - first.volatilityCumulative
  // An unchecked uint88 in the contract.
  const risen = BigInt.asUintN(88, rise * BigInt(age - WINDOW)) / span
  return (last.volatilityCumulative - first.volatilityCumulative - risen) / WINDOW_SECONDS
}

/** Average tick over the day before `timestamp`, rounded towards zero. */
function averageTickAt(
  { timepoints }: VolatilityOracle,
  { timestamp, tick }: { readonly timestamp: number; readonly tick: number },
): number {
  const [oldest, last] = [timepoints[0]!, timepoints.at(-1)!]
  const start = timestamp - WINDOW
  if (last.timestamp <= start) return tick
  const now = last.tickCumulative + BigInt(tick) * BigInt(timestamp - last.timestamp)
  if (oldest.timestamp > start) {
    return Number((now - oldest.tickCumulative) / BigInt(timestamp - oldest.timestamp))
  }
  return Number((now - tickCumulativeAt(timepoints, start)) / WINDOW_SECONDS)
}
