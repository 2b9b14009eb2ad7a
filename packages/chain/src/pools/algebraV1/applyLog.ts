// Follows an Algebra V1 pool by its logs, including the volatility oracle behind its fee.

import { type AlgebraV1Pool, addVolume, updateVolumeFee } from '@braid-swap/core/families'
import { decodeEventLog } from 'viem'
import type { LogBody } from '../../reads/log.js'
import { withLiquidity, withPrice } from '../concentrated.js'
import { IGNORED_TOPICS, POOL_EVENTS, POOL_TOPICS } from './abi.js'

/** `Swap`, `Fee`, `Mint`, `Burn`, `Initialize`. */
export const topics = POOL_TOPICS
/** None: every log adds to the oracle or to the ticks. */
export const replacingTopics = []
/** Collected fees, flash loans, farming, spacing and cooldown of positions. */
export const ignoredTopics = IGNORED_TOPICS

/**
 * The pool after a new timepoint with its fee, a swap, or a change of liquidity. `'reload'` if the
 * log does not determine the state: a fee that does not follow from our timepoints, or a block of
 * unknown time.
 */
export function applyLog(pool: AlgebraV1Pool, log: LogBody): AlgebraV1Pool | 'reload' {
  if (!POOL_TOPICS.includes(log.topics[0]!)) return 'reload'
  const { eventName, args } = decodeEventLog({
    abi: POOL_EVENTS,
    topics: [...log.topics] as never,
    data: log.data,
  })
  switch (eventName) {
    case 'Initialize':
      return 'reload'
    case 'Fee': {
      // Emitted with each timepoint, before the log of the swap or position that caused it.
      if (log.timestamp === undefined) return 'reload'
      const written = updateVolumeFee({ ...pool, quotedAt: log.timestamp })
      return written.feePpm === args.fee ? written : 'reload'
    }
    case 'Swap': {
      // A swap is in the block of the newest timepoint; otherwise a log was missed.
      const { timestamp } = pool.oracle.timepoints.at(-1)!
      if (log.timestamp !== BigInt(timestamp)) return 'reload'
      const { price: sqrtPriceX96, tick, liquidity } = args
      const amounts = [magnitude(args.amount0), magnitude(args.amount1)] as const
      const oracle = addVolume(pool.oracle, { amounts, liquidity })
      return withPrice({ ...pool, oracle }, { sqrtPriceX96, tick, liquidity })
    }
    default: {
      const { bottomTick: lower, topTick: upper } = args
      const amount = eventName === 'Mint' ? args.liquidityAmount : -args.liquidityAmount
      return withLiquidity(pool, { lower, upper, amount })
    }
  }
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}
