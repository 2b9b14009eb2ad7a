import type { Curve, Direction, Measures } from '../family.js'
import {
  constantProductCurve,
  measureConstantProduct,
  type PairReserves,
  stablePairCurve,
} from '../pairCurve.js'
import { maxInputOf, maxReserveOf } from './exact.js'
import type { SolidlyPool } from './pool.js'

/** The pair as a gain function: one constant-product piece if volatile, else the stable curve. */
export function toCurve(pool: SolidlyPool, direction: Direction): Curve {
  const reserves = inFloats(pool, direction)
  if (!pool.stable) return { ...constantProductCurve(reserves), ...flooredFee(pool) }
  const [i, o] = [direction.in as 0 | 1, direction.out as 0 | 1]
  const units = { unitIn: Number(pool.units[i]), unitOut: Number(pool.units[o]) }
  return stablePairCurve({ ...reserves, ...units, isWholeInvariant: pool.variant === 'velodrome' })
}

/** The spot price of a volatile pair, and the trade that lowers it by the part `fall`. */
export function measure(
  pool: SolidlyPool,
  direction: Direction,
  fall: number,
): Measures | undefined {
  if (pool.stable) return undefined
  return { ...measureConstantProduct(inFloats(pool, direction), fall), ...flooredFee(pool) }
}

function inFloats(pool: SolidlyPool, direction: Direction): PairReserves {
  const X = Number(pool.reserves[direction.in as 0 | 1])
  const Y = Number(pool.reserves[direction.out as 0 | 1])
  const reserves = { reserveIn: X, reserveOut: Y, γ: 1 - feeRate(pool) }
  const maxReserve = Number(maxReserveOf(pool))
  if (pool.stable) return { ...reserves, maxReserve }
  // The pair multiplies the input by a reserve, and both reserves after the swap, in a uint256.
  const maxIn = Math.min(Number(maxInputOf(pool)), 2 ** 256 / Y, 2 ** 256 - X * Y - X)
  return { ...reserves, maxReserve, maxIn }
}

/** The pair floors its fee, so it swaps up to a wei more than γ·x. */
function flooredFee(pool: SolidlyPool): { readonly extraIn?: number } {
  return pool.feePpm === 0 ? {} : { extraIn: 1 / (1 - feeRate(pool)) }
}

/** The fee as part of the input, the same for every amount. */
export function feeRate(pool: SolidlyPool): number {
  return pool.feePpm / 1e6
}
