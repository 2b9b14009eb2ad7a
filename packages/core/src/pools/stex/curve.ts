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
 * At each step of the fee the pool pays less for more input: a staircase. The curve is its concave
 * hull, with corners at the last inputs of steps; between corners it promises too much.
 */
export function toCurve(pool: StexPool, direction: Direction): Curve {
  const cornersOf = direction.in === 0 ? unstakingCorners : stakingCorners
  const isOpen = !pool.isPaused && isFresh(pool) && pool.reserves[direction.out]! > 0n
  return hullCurve(() => (isOpen ? hullOf(cornersOf(pool).map(early)) : []))
}

/** The fee on the whole input of token 0, which increases with the amount; token 1 has no fee. */
export function feeRate(
  pool: StexPool,
  direction: Direction,
  amountIn: bigint,
): number | undefined {
  const feeBips = direction.in === 0 ? feeBipsOf(pool, amountIn) : 0n
  return feeBips === undefined ? undefined : Number(feeBips) / Number(BIPS + feeBips)
}

/**
 * A corner moved back by a part in 2¹⁹. A flow that ends at a corner is rounded to shares of 2⁻²⁴
 * of a balance, and rounding must not exceed the step. An early corner promises more, never less.
 */
function early([amountIn, amountOut]: Corner): Corner {
  return [amountIn - (amountIn >> 19n), amountOut]
}

/** The last input of each fee with its output, up to the input that takes the whole reserve. */
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
