// What pools' own bytecode pays, for `braid doctor` and for recorded vectors.

import type { Direction, Pool } from '@braid-swap/core'
import { getAmountOut } from '@braid-swap/core/families'
import type { BlockSeen } from '../reads/call.js'
import type { Header } from '../reads/headers.js'
import type { Client } from '../transport/client.js'
import { type AskedSwap, askDirectly, quoting } from '../trust/askDirectly.js'
import { isRanged } from '../trust/askPools.js'

/** A swap, what core says that it pays at the block where the node ran it, and what it pays there. */
export type ProbedSwap = AskedSwap & {
  /** In wei; 0 if it is refused, and less than the quote if a pair pays less: it does not say how much. */
  readonly paid: bigint
  readonly seen: BlockSeen
}

/** True for a pool that is asked itself; of the others only their loaders' own checks are known. */
export const canBeProbed = ({ family }: Pool): boolean =>
  family === 'uniswapV2' || isRanged({ family }) || quoting.has(family)

/**
 * Asks pools for about fifteen amounts in both directions, from dust to more than they can take. A swap that no
 * known pool lends the input for, or that needs more gas than a call has, is left out. Throws as the node does.
 */
export async function probePools(
  client: Client,
  pools: readonly Pool[],
  { header, lenders }: { readonly header: Header; readonly lenders: readonly Pool[] },
): Promise<readonly ProbedSwap[]> {
  const swaps = pools.filter(canBeProbed).flatMap((pool) => swapsOf(at(pool, header.timestamp)))
  const place = { header, lenders, refs: new Map() }
  const answers = await askDirectly(client, swaps, place)
  return swaps.flatMap((swap, i) => {
    const { paid = 0n, seen: [seen] = [] } = answers[i] ?? {}
    if (!seen) return []
    const pool = at(swap.pool, seen.timestamp)
    const quoted = getAmountOut(pool, swap.direction, swap.amountIn)
    return [{ ...swap, pool, quoted, paid, seen }]
  })
}

/** A snapshot quotes for the block after it, but the calls run in one block. */
const at = (pool: Pool, timestamp: bigint): Pool =>
  'quotedAt' in pool ? { ...pool, quotedAt: timestamp } : pool

const DIRECTIONS: readonly Direction[] = [
  { in: 0, out: 1 },
  { in: 1, out: 0 },
]
/** Powers of ten that are tried as amounts. */
const DIGITS = 30

/** Amounts that are no round numbers, up to the first at which the output grows by less than a millionth. */
function swapsOf(pool: Pool): readonly AskedSwap[] {
  return DIRECTIONS.flatMap((direction) => {
    const swaps: AskedSwap[] = []
    let before = 0n
    for (let digits = 0; digits < DIGITS; digits++) {
      const amountIn = 10n ** BigInt(digits) + BigInt(digits)
      const quoted = getAmountOut(pool, direction, amountIn)
      if (quoted > 0n) swaps.push({ pool, direction, amountIn, quoted })
      if (before > 0n && (quoted - before) * 1_000_000n < before) break
      before = quoted
    }
    return swaps
  })
}
