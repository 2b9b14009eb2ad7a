import type { Curve, Direction } from '../family.js'
import { constantProductCurve, stablePairCurve } from '../pairCurve.js'
import type { CamelotPool } from './pool.js'

/** The pair as a gain function: one constant-product piece, or the stable curve. */
export function toCurve(pool: CamelotPool, direction: Direction): Curve {
  const [i, o] = [direction.in as 0 | 1, direction.out as 0 | 1]
  const reserves = {
    ...{ reserveIn: Number(pool.reserves[i]), reserveOut: Number(pool.reserves[o]) },
    ...{ γ: 1 - feeRate(pool, direction), maxReserve: 2 ** 112 },
  }
  if (!pool.stableSwap) return constantProductCurve(reserves)
  const [unitIn, unitOut] = [pool.precisionMultipliers[i], pool.precisionMultipliers[o]]
  return stablePairCurve({ ...reserves, unitIn: Number(unitIn), unitOut: Number(unitOut) })
}

/** The fee of the input token as part of the input, the same for every amount. */
export function feeRate(pool: CamelotPool, direction: Direction): number {
  return pool.feePercents[direction.in as 0 | 1] / 1e5
}
