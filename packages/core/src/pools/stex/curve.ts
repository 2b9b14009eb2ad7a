import { divUp } from '../../math/fullMath.js'
import { type Corner, hullOf } from '../../math/hull.js'
import type { Curve, Direction } from '../family.js'
import { hullCurve } from '../piecesCurve.js'
import { isFresh } from '../sampled.js'
import { feeBipsOf, feeStepsOf } from './fee.js'
import type { StexPool } from './pool.js'

const BIPS = 10_000n
const ONE = 10n ** 18n

/**
 * Where the fee steps up, the pool pays less for more: a staircase. The curve is its concave hull,
 * which has its corners at the last inputs of steps, and promises too much between.
 */
export function toCurve(pool: StexPool, direction: Direction): Curve {
  const cornersOf = direction.in === 0 ? unstakingCorners : stakingCorners
  const isOpen = !pool.isPaused && isFresh(pool) && pool.reserves[direction.out]! > 0n
  return hullCurve(() => (isOpen ? hullOf(cornersOf(pool).map(early)) : []))
}

/** The fee on the whole of an input of token 0, more of it for more; token 1 pays none. */
export function feeRate(
  pool: StexPool,
  direction: Direction,
  amountIn: bigint,
): number | undefined {
  const feeBips = direction.in === 0 ? feeBipsOf(pool, amountIn) : 0n
  return feeBips === undefined ? undefined : Number(feeBips) / Number(BIPS + feeBips)
}

/**
 * A corner by a part in 2¹⁹ before where it is: a flow ends up there, is rounded to a share of 2⁻²⁴
 * of what is held, and must not be past the step by that. Early corners promise more, never less.
 */
function early([amountIn, amountOut]: Corner): Corner {
  return [amountIn - (amountIn >> 19n), amountOut]
}

/** The last input of each fee and what it pays, up to the one that takes the whole reserve. */
function unstakingCorners(pool: StexPool): readonly Corner[] {
  const corners: Corner[] = []
  const reserve = pool.reserves[1]
  for (const { feeBips, end } of feeStepsOf(pool)) {
    const amountOut = divUp((end ?? 0n) * BIPS * pool.rate, (BIPS + feeBips) * ONE)
    if (end === undefined || amountOut >= reserve) {
      const net = ((reserve + 1n) * ONE - 1n) / pool.rate
      const last = ((net + 1n) * (BIPS + feeBips) - 1n) / BIPS
      const least = (corners.at(-1)?.[0] ?? 0n) + 1n
      return [...corners, [last > least ? last : least, reserve]]
    }
    corners.push([end, amountOut])
  }
  return corners
}

function stakingCorners({ reserves, rate }: StexPool): readonly Corner[] {
  return [[((reserves[0] + 1n) * rate - 1n) / ONE, reserves[0]]]
}
