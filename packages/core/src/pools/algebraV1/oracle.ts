import { sqrtDown, TWO_256 } from '../../math/fullMath.js'
import { lastUpTo, tickCumulativeAt, volatilityBetween } from '../../math/volatility.js'
import type { VolumeOracle, VolumeTimepoint } from './pool.js'

/** Seconds that averages go back. DataStorage.WINDOW, v1-core@1.0.0 */
const WINDOW = 86_400
/** Timepoints that the ring holds; one more overwrites the oldest. */
const RING = 65_536

/**
 * The oracle after a write at `timestamp` in a pool that was at `tick` since the newest timepoint; at
 * most one a block. What the fee will never look at again is dropped. DataStorage.write
 */
export function writeVolumeTimepoint(
  oracle: VolumeOracle,
  { timestamp, tick }: { readonly timestamp: number; readonly tick: number },
): VolumeOracle {
  const { timepoints } = oracle
  const last = timepoints.at(-1)!
  if (last.timestamp === timestamp) return oracle
  const averageTick = averageTickBefore(timepoints, { timestamp, tick })
  const elapsed = BigInt(timestamp - last.timestamp)
  // The tick is taken to have moved here from the average between the two timepoints before.
  const ticks = [meanTick(timepoints.at(-2), last) ?? tick, tick] as const
  const averages = [oracle.averageTick, averageTick] as const
  const written: VolumeTimepoint = {
    timestamp,
    tickCumulative: last.tickCumulative + BigInt(tick) * elapsed,
    volatilityCumulative:
      last.volatilityCumulative + volatilityBetween({ elapsed, ticks, averages }),
    volumePerLiquidityCumulative: last.volumePerLiquidityCumulative + oracle.volumePerLiquidityX64,
  }
  const kept = timepoints.length === RING ? timepoints.slice(1) : timepoints
  return volumeOracle({ averageTick, volumePerLiquidityX64: 0n, timepoints: [...kept, written] })
}

/**
 * The oracle of these timepoints, without what lies before the window of the newest. Whether read or
 * written, it is made here: one order of fields, so that equal oracles are equal as text.
 */
export function volumeOracle(given: VolumeOracle): VolumeOracle {
  const { averageTick, volumePerLiquidityX64, timepoints } = given
  const first = lastUpTo(timepoints, timepoints.at(-1)!.timestamp - WINDOW)
  return {
    ...{ averageTick, volumePerLiquidityX64 },
    timepoints: first > 0 ? timepoints.slice(first) : timepoints,
  }
}

/** The oracle after a swap of these amounts that left this liquidity in range. */
export function addVolume(
  oracle: VolumeOracle,
  swap: {
    readonly amounts: readonly [bigint, bigint]
    readonly liquidity: bigint
  },
): VolumeOracle {
  const volumePerLiquidityX64 = oracle.volumePerLiquidityX64 + volumePerLiquidity(swap)
  return { ...oracle, volumePerLiquidityX64 }
}

/** The most that one swap counts for: 100,000, in Q64. DataStorageOperator.MAX_VOLUME_PER_LIQUIDITY */
const MAX_VOLUME_PER_LIQUIDITY = 100_000n << 64n

// √amount0 · √amount1 / liquidity, each step rounded down.   calculateVolumePerLiquidity
function volumePerLiquidity(swap: {
  readonly amounts: readonly [bigint, bigint]
  readonly liquidity: bigint
}): bigint {
  const volume = sqrtDown(swap.amounts[0]) * sqrtDown(swap.amounts[1])
  const shifted = volume >> 192n ? TWO_256 - 1n : volume << 64n
  const perLiquidity = shifted / (swap.liquidity || 1n)
  return perLiquidity < MAX_VOLUME_PER_LIQUIDITY ? perLiquidity : MAX_VOLUME_PER_LIQUIDITY
}

/** Averages over the day before the newest timepoint, or over as much as there is of it. */
export type DayAverages = {
  /** Per second. */
  readonly volatility: bigint
  /** Over all of the day, in 128ths. */
  readonly volumePerLiquidity: bigint
}

/** Of the volume's 64 bits after the point, 7 stay. */
const VOLUME_SHIFT = 57n

/**
 * What the fee is made of in the block of the newest timepoint, of two timepoints or more. The start
 * of the window lies between the first two timepoints held. DataStorage.getAverages
 */
export function dayAverages({ timepoints }: Pick<VolumeOracle, 'timepoints'>): DayAverages {
  const last = timepoints.at(-1)!
  const [first, second] = timepoints as readonly [VolumeTimepoint, VolumeTimepoint]
  const age = last.timestamp - first.timestamp
  const seconds = BigInt(age < WINDOW ? age : WINDOW)
  // Divided first, as the contract does.
  const into = BigInt(age < WINDOW ? 0 : age - WINDOW)
  const span = BigInt(second.timestamp - first.timestamp)
  const startOf = (sum: (timepoint: VolumeTimepoint) => bigint) =>
    sum(first) + ((sum(second) - sum(first)) / span) * into
  const rise = (sum: (timepoint: VolumeTimepoint) => bigint) => sum(last) - startOf(sum)
  return {
    volatility: rise((timepoint) => timepoint.volatilityCumulative) / seconds,
    volumePerLiquidity: rise((timepoint) => timepoint.volumePerLiquidityCumulative) >> VOLUME_SHIFT,
  }
}

/**
 * Average tick from a day before `timestamp` to the newest timepoint, rounded towards zero; `tick`
 * where there is nothing to average. DataStorage._getAverageTick
 */
function averageTickBefore(
  timepoints: readonly VolumeTimepoint[],
  { timestamp, tick }: { readonly timestamp: number; readonly tick: number },
): number {
  const [oldest, last] = [timepoints[0]!, timepoints.at(-1)!]
  const start = timestamp - WINDOW
  if (oldest.timestamp > start) return meanTick(oldest, last) ?? tick
  // Nothing was written for a day: what counts is how it was before.
  if (last.timestamp <= start) return meanTick(timepoints.at(-2), last) ?? tick
  const rise = last.tickCumulative - tickCumulativeAt(timepoints, start)
  return Number(rise / BigInt(last.timestamp - start))
}

function meanTick(from: VolumeTimepoint | undefined, to: VolumeTimepoint): number | undefined {
  if (from === undefined || from === to) return undefined
  const seconds = BigInt(to.timestamp - from.timestamp)
  return Number((to.tickCumulative - from.tickCumulative) / seconds)
}
