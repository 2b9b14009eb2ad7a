import type { Pool, Snapshot } from '@braid-swap/core'
import { applySwap } from '@braid-swap/core/families'
import { createPrng } from '../prng.js'

/**
 * The pools that one busy block changes: `count` pools, each after a swap of up to a thousandth of
 * its (virtual) reserve. Equal arguments give equal pools.
 */
export function generateBlockDiff(
  snapshot: Snapshot,
  count: number,
  seed: number,
): readonly Pool[] {
  const prng = createPrng(seed)
  const moved = new Map<string, Pool>()
  const wanted = Math.min(count, snapshot.pools.length)
  for (let tries = 0; moved.size < wanted && tries < 50 * count; tries++) {
    const pool = prng.pick(snapshot.pools)
    const direction = prng.next() < 0.5 ? { in: 0, out: 1 } : { in: 1, out: 0 }
    const after = applySwap(pool, direction, sizeOf(pool, direction.in, prng.next()))
    if (after !== pool) moved.set(pool.id, after)
  }
  return [...moved.values()]
}

function sizeOf(pool: Pool, side: number, random: number): bigint {
  const part = BigInt(1 + Math.floor(random * 1000))
  if (pool.family === 'uniswapV2') return (pool.reserves[side as 0 | 1] * part) / 1_000_000n
  if (pool.family !== 'uniswapV3' || pool.sqrtPriceX96 === 0n) return 0n
  const virtual =
    side === 0
      ? (pool.liquidity << 96n) / pool.sqrtPriceX96
      : (pool.liquidity * pool.sqrtPriceX96) >> 96n
  return (virtual * part) / 1_000_000n
}
