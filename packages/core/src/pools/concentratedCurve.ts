import type { Concentrated } from '../math/concentrated.js'
import { concentratedDepth, concentratedPieces, spotPrice } from '../math/concentratedPieces.js'
import type { Intervals } from '../math/intervals.js'
import { cutPieces, limitOf, type Pieces } from '../math/pieces.js'
import type { Curve, Direction, Measures } from './family.js'
import { piecesCurve } from './piecesCurve.js'

/** Up to this input and output, only the ticks limit a pool. */
const PLENTY = 2 ** 112
const DUST_PER_TICK = 1e6
// Lowers the limit by a few units of float precision, so that rounding never exceeds it.
const JUST_BELOW_ONE = 1 - 2 ** -50
// A tick is a factor of 1.0001 in price.
const LN_TICK = Math.log1p(1e-4)

/**
 * Concentrated liquidity with one fee as constant-product pieces, from the current price outwards.
 * `tickGas` is the gas of crossing from one piece to the next; `intervals` are the words of the bitmap, if any.
 * `mostIn` is the most wei that the contract can take, if that may be less than the ticks can; it is
 * called only for a pool that could take or pay 2¹¹².
 */
export function concentratedCurve(
  pool: Concentrated,
  direction: Direction,
  of: {
    readonly feePpm: number
    readonly tickGas: number
    readonly intervals?: Intervals
    readonly mostIn?: (pieces: Pieces) => number
  },
): Curve {
  const { feePpm, tickGas, intervals, mostIn } = of
  const zeroForOne = direction.in === 0
  const price = pool.liquidity > 0n ? spotPrice(pool, zeroForOne) : undefined
  const spot = price && (1 - feePpm / 1e6) * price
  const curve = piecesCurve(spot, () => {
    const pieces = concentratedPieces(pool, zeroForOne, feePpm)
    if (!mostIn || Math.max(limitOf(pieces), pieces.startOut.at(-1)!) <= PLENTY) return pieces
    return cutPieces(pieces, mostIn(pieces) * JUST_BELOW_ONE)
  })
  return Object.assign(curve, { stepGas: tickGas, ...(intervals && { intervals }) })
}

/**
 * The measures of {@link concentratedCurve} from the ticks that the trade crosses alone;
 * `undefined` if floats cannot tell on which side of a tick the price is, if the liquidity ends
 * before the price has fallen by the part `fall`, or if the trade is dust or more than any pool is
 * sure to take.
 */
export function measureConcentrated(
  pool: Concentrated,
  direction: Direction,
  of: {
    readonly feePpm: number
    readonly tickGas: number
    readonly intervals?: Intervals
    readonly fall: number
  },
): Measures | undefined {
  const zeroForOne = direction.in === 0
  const price = pool.liquidity > 0n ? spotPrice(pool, zeroForOne) : undefined
  const depth = price && concentratedDepth(pool, zeroForOne, of.fall)
  if (!depth) return undefined
  const { tickGas: stepGas, intervals } = of
  const γ = 1 - of.feePpm / 1e6
  const depthIn = depth.amountIn / γ
  // The curve ends up to two wei per tick before the liquidity does.
  if (!(depthIn > DUST_PER_TICK * pool.ticks.length && depthIn <= PLENTY)) return undefined
  const measures = { spot: γ * price, depthIn, depthOut: depth.amountOut, stepGas }
  return intervals ? { ...measures, intervals } : measures
}

/** The words of the bitmap of ticks, 256 possible ticks each, that a falling or rising price enters. */
export function wordsAhead(
  { sqrtPriceX96, tick, tickSpacing }: Concentrated & { readonly tickSpacing: number },
  direction: Direction,
  gas: number,
): Intervals {
  const length = 256 * tickSpacing * LN_TICK
  const above = 2 * Math.log(Number(sqrtPriceX96) / 2 ** 96) - wordOf(tick, tickSpacing) * length
  const passed = direction.in === 0 ? length - above : above
  return { gas, length, passed: Math.min(Math.max(0, passed), length) }
}

/** The word of the bitmap that a tick is in. */
export function wordOf(tick: number, tickSpacing: number): number {
  return Math.floor(tick / tickSpacing / 256)
}
