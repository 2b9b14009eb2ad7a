import type { Curve, Direction, Measures } from '../family.js'
import { constantProductCurve, measureConstantProduct, stablePairCurve } from '../pairCurve.js'
import type { CamelotPool } from './pool.js'

/** The pair as a gain function: one constant-product piece, or the stable curve. */
export function toCurve(pool: CamelotPool, direction: Direction): Curve {
  const [i, o] = [direction.in as 0 | 1, direction.out as 0 | 1]
  const reserves = inFloats(pool, direction)
  if (!pool.stableSwap) return constantProductCurve(reserves)
  const [unitIn, unitOut] = [pool.precisionMultipliers[i], pool.precisionMultipliers[o]]
  const units = { unitIn: Number(unitIn), unitOut: Number(unitOut) }
  const kept = 1 - feeRate(pool, direction) * (pool.ownerFeeShare / 1e5)
  return stablePairCurve({ ...reserves, ...units, kept, isWholeInvariant: false })
}

/** The spot price of a volatile pair, and the trade that lowers it by the part `fall`. */
export function measure(
  pool: CamelotPool,
  direction: Direction,
  fall: number,
): Measures | undefined {
  return pool.stableSwap ? undefined : measureConstantProduct(inFloats(pool, direction), fall)
}

function inFloats(pool: CamelotPool, direction: Direction) {
  return {
    reserveIn: Number(pool.reserves[direction.in as 0 | 1]),
    reserveOut: Number(pool.reserves[direction.out as 0 | 1]),
    γ: 1 - feeRate(pool, direction),
    maxReserve: 2 ** 112,
  }
}

/** The fee of the input token as part of the input, the same for every amount. */
export function feeRate(pool: CamelotPool, direction: Direction): number {
  return pool.feePercents[direction.in as 0 | 1] / 1e5
}
