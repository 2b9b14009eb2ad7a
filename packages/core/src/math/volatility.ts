// The volatility oracle that both versions of Algebra share.

/** The sum of a pool's tick over all seconds up to a block. */
export type TickSum = {
  /** Unix seconds. */
  readonly timestamp: number
  readonly tickCumulative: bigint
}

/** Index of the last entry at or before `time`, by binary search; −1 if all are later. */
export function lastUpTo(entries: readonly TickSum[], time: number): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (entries[middle]!.timestamp <= time) low = middle + 1
    else high = middle
  }
  return low - 1
}

/**
 * The sum at a time between two entries, interpolated; divides before it multiplies, as the
 * contracts do.
 */
export function tickCumulativeAt(entries: readonly TickSum[], time: number): bigint {
  const at = lastUpTo(entries, time)
  const [before, after] = [entries[at]!, entries[at + 1]!]
  const slope =
    (after.tickCumulative - before.tickCumulative) / BigInt(after.timestamp - before.timestamp)
  return before.tickCumulative + slope * BigInt(time - before.timestamp)
}

/**
 * Σ (tick − average)² over `elapsed` seconds, with tick and average each linear in time.
 *
 * k = Δtick − Δaverage, b = (tick − average)·dt:  (k²·Σt² + 2·k·b·Σt + dt·b²) / dt² in one
 * division. DataStorage._volatilityOnRange, v1-core@1.0.0; VolatilityOracle's own,
 * integral-base-plugin@1.2.1
 */
export function volatilityBetween(range: {
  readonly elapsed: bigint
  readonly ticks: readonly [number, number]
  readonly averages: readonly [number, number]
}): bigint {
  const { elapsed: dt, ticks, averages } = range
  const k = BigInt(ticks[1] - ticks[0] - (averages[1] - averages[0]))
  const b = BigInt(ticks[0] - averages[0]) * dt
  const sumOfSequence = dt * (dt + 1n)
  const sumOfSquares = sumOfSequence * (2n * dt + 1n)
  return (k * k * sumOfSquares + 6n * b * k * sumOfSequence + 6n * dt * b * b) / (6n * dt * dt)
}
