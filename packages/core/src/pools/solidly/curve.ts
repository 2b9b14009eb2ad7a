import type { Curve, Direction } from '../family.js'
import { constantProductCurve, stablePairCurve } from '../pairCurve.js'
import { maxInputOf, maxReserveOf } from './exact.js'
import type { SolidlyPool } from './pool.js'

/** The pair as a gain function: one constant-product piece if volatile, else the stable curve. */
export function toCurve(pool: SolidlyPool, direction: Direction): Curve {
  const [i, o] = [direction.in as 0 | 1, direction.out as 0 | 1]
  const reserves = {
    ...{ reserveIn: Number(pool.reserves[i]), reserveOut: Number(pool.reserves[o]) },
    ...{ γ: 1 - feeRate(pool), maxReserve: Number(maxReserveOf(pool)) },
  }
  if (!pool.stable) {
    // The pair multiplies the input by a reserve, and both reserves after the swap, in a uint256.
    const { reserveIn: X, reserveOut: Y } = reserves
    const maxIn = Math.min(Number(maxInputOf(pool)), 2 ** 256 / Y, 2 ** 256 - X * Y - X)
    const curve = constantProductCurve({ ...reserves, maxIn })
    // The pair floors its fee, so it swaps up to a wei more than γ·x.
    return pool.feePpm === 0 ? curve : { ...curve, extraIn: 1 / reserves.γ }
  }
  const units = { unitIn: Number(pool.units[i]), unitOut: Number(pool.units[o]) }
  return stablePairCurve({ ...reserves, ...units })
}

/** The fee as part of the input, the same for every amount. */
export function feeRate(pool: SolidlyPool): number {
  return pool.feePpm / 1e6
}
