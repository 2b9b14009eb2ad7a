import { sqrtDown, TWO_256 } from '../../math/fullMath.js'
import { lastUpTo, tickCumulativeAt, volatilityBetween } from '../../math/volatility.js'
import type { VolumeOracle, VolumeTimepoint } from './pool.js'

/** Window of averages, in seconds. DataStorage.WINDOW, v1-core@1.0.0 */
const WINDOW = 86_400
/** Slots of the ring buffer; one more timepoint overwrites the oldest. */
const RING = 65_536

/**
 * The oracle after a write at `timestamp`, at most one per block, in a pool that was at `tick`
 * since the newest timepoint. Timepoints that no later fee needs are dropped. DataStorage.write
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
  // Assumes a linear move to this tick from the average between the two previous timepoints.
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
 * The oracle of these timepoints, without those before the window of the newest. Every oracle, read
 * or computed, is built here with one order of fields, so that equal oracles have equal JSON.
 */
export function volumeOracle(given: VolumeOracle): VolumeOracle {
  const { averageTick, volumePerLiquidityX64, timepoints } = given
  const first = lastUpTo(timepoints, timepoints.at(-1)!.timestamp - WINDOW)
  return {
    ...{ averageTick, volumePerLiquidityX64 },
    timepoints: first > 0 ? timepoints.slice(first) : timepoints,
  }
}

/** The oracle after a swap of these amounts, with the liquidity in range after it. */
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

/**
 * Cap on the volume per liquidity of one swap: 100,000, Q64.
 * DataStorageOperator.MAX_VOLUME_PER_LIQUIDITY
 */
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

/** Averages over the day before the newest timepoint, or over the whole history if shorter. */
export type DayAverages = {
  /** Per second. */
  readonly volatility: bigint
  /** Total of the day, in units of 1/128. */
  readonly volumePerLiquidity: bigint
}

/** Keeps 7 of the 64 fractional bits of the volume. */
const VOLUME_SHIFT = 57n

/**
 * The inputs of the fee in the block of the newest timepoint, from at least two timepoints. The
 * start of the window is between the first two. DataStorage.getAverages
 */
export function dayAverages({ timepoints }: Pick<VolumeOracle, 'timepoints'>): DayAverages {
  const last = timepoints.at(-1)!
  const [first, second] = timepoints as readonly [VolumeTimepoint, VolumeTimepoint]
  const age = last.timestamp - first.timestamp
  const seconds = BigInt(age < WINDOW ? age : WINDOW)
  // Divides before it multiplies, as the contract does.
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
 * if there is no span to average over. DataStorage._getAverageTick
 */
function averageTickBefore(
  timepoints: readonly VolumeTimepoint[],
  { timestamp, tick }: { readonly timestamp: number; readonly tick: number },
): number {
  const [oldest, last] = [timepoints[0]!, timepoints.at(-1)!]
  const start = timestamp - WINDOW
  if (oldest.timestamp > start) return meanTick(oldest, last) ?? tick
  // Nothing was written for a day: the contract uses the span before the newest timepoint.
  if (last.timestamp <= start) return meanTick(timepoints.at(-2), last) ?? tick
  const rise = last.tickCumulative - tickCumulativeAt(timepoints, start)
  return Number(rise / BigInt(last.timestamp - start))
}

function meanTick(from: VolumeTimepoint | undefined, to: VolumeTimepoint): number | undefined {
  if (from === undefined || from === to) return undefined
  const seconds = BigInt(to.timestamp - from.timestamp)
  return Number((to.tickCumulative - from.tickCumulative) / seconds)
}
