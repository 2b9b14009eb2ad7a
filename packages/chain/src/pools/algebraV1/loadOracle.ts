// Loads the timepoints of an Algebra V1 pool that its fee depends on: those of the last day.

import type { Address, Hex } from '@braid-swap/core'
import { type VolumeOracle, type VolumeTimepoint, volumeOracle } from '@braid-swap/core/families'
import { callData, signed, wordAt } from '../../reads/abiWords.js'
import { feeWords } from '../feeWords.js'
import type { Load } from '../loader.js'
import { TIMEPOINTS } from './abi.js'

const RING = 65_536
const WINDOW = 86_400

/** Timepoints in the first round of reads; each further round reads twice as many. */
const FIRST_CHUNK = 32

/** Reads the newest timepoint and those before it, back to one that is at least a day older. */
export function* loadOracle(
  operator: Address,
  of: { readonly pool: Address; readonly index: number } & Pick<
    VolumeOracle,
    'volumePerLiquidityX64'
  >,
): Load<VolumeOracle> {
  const { pool, index: newest, volumePerLiquidityX64 } = of
  const at = (index: number) => ({ to: operator, data: callData(TIMEPOINTS, index) })
  const [last] = yield [at(newest)]
  feeWords(last!, { pool, field: 'timepoints(uint256)', count: 7 })
  const start = timepointOf(last!).timestamp - WINDOW
  const timepoints = [timepointOf(last!)]
  for (let chunk = FIRST_CHUNK; timepoints[0]!.timestamp > start; chunk *= 2) {
    const before = newest - timepoints.length
    const length = Math.min(chunk, RING - timepoints.length)
    const indices = Array.from({ length }, (_, i) => (before - i + RING) % RING)
    const answers: readonly Hex[] = yield indices.map(at)
    const end = answers.findIndex((answer) => wordAt(answer, 0) === 0n)
    const found = end === -1 ? answers : answers.slice(0, end)
    timepoints.unshift(...found.map(timepointOf).reverse())
    if (end !== -1 || timepoints.length === RING) break
  }
  const averageTick = Number(signed(wordAt(last!, 5)))
  return volumeOracle({ averageTick, volumePerLiquidityX64, timepoints })
}

function timepointOf(answer: Hex): VolumeTimepoint {
  return {
    timestamp: Number(wordAt(answer, 1)),
    tickCumulative: signed(wordAt(answer, 2)),
    volatilityCumulative: wordAt(answer, 4),
    volumePerLiquidityCumulative: wordAt(answer, 6),
  }
}
