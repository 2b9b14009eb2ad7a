// What a pool's own bytecode pays for some inputs, for `braid doctor` and for recorded vectors.

import type { Pool } from '@braid-swap/core'
import type { Client } from '../transport/client.js'
import { PAIR_CALL, probePair } from './pairSwaps.js'
import type { ProbedSwap, ProbeOptions } from './probedSwap.js'
import { isRanged, probeRanged, RANGED_CALL } from './rangedSwaps.js'

/** A pool at a block, and the outputs of its bytecode there. */
export type ProbedPool = {
  readonly pool: Pool
  /** The method of probing the contract, in words. */
  readonly call: string
  readonly swaps: readonly ProbedSwap[]
}

/**
 * Asks a pool's bytecode for its outputs in both directions. Returns `undefined` for a pool whose family
 * has no published bytecode. Throws what the node throws.
 */
export async function probePool(
  client: Client,
  given: Pool,
  options: ProbeOptions,
): Promise<ProbedPool | undefined> {
  // A snapshot quotes for the block after it, but the calls run in its own block.
  const pool = 'quotedAt' in given ? { ...given, quotedAt: options.block.timestamp } : given
  if (pool.family === 'uniswapV2') {
    return { pool, call: PAIR_CALL, swaps: await probePair(client, pool, options) }
  }
  if (isRanged(pool)) {
    return { pool, call: RANGED_CALL, swaps: await probeRanged(client, pool, options) }
  }
  // The bytecode of some is not published, and the results of our doubles prove nothing; others are
  // tested swap by swap against code from packages instead.
  return undefined
}
