import type { Pool } from '@braid-swap/core'
import { leastGas as leastGasOf } from '@braid-swap/core/advanced'

const gasOfPool = new WeakMap<Pool, number>()

/** Lower bound of the gas of a hop through the pool, for any direction and amount. */
export function leastGas(pool: Pool): number {
  const known = gasOfPool.get(pool)
  if (known !== undefined) return known
  const gas = Math.min(leastGasOf(pool, { in: 0, out: 1 }), leastGasOf(pool, { in: 1, out: 0 }))
  gasOfPool.set(pool, gas)
  return gas
}
