import { type AlgebraV1Pool, addVolume, updateVolumeFee } from '@braid-swap/core'
import { decodeEventLog } from 'viem'
import { withLiquidity, withPrice } from '../concentrated.js'
import type { LogBody } from '../loader.js'
import { IGNORED_TOPICS, POOL_EVENTS, POOL_TOPICS } from './abi.js'

/** `Swap`, `Fee`, `Mint`, `Burn`, `Initialize`. */
export const topics = POOL_TOPICS
/** None: each adds to the oracle or to the ticks. */
export const replacingTopics = []
/** Fees owed, flash loans, farming, spacing and cooldown of positions. */
export const ignoredTopics = IGNORED_TOPICS

/**
 * The pool after a timepoint with its fee, a swap, or a change of liquidity. `'reload'` where the log
 * cannot tell: a fee that our timepoints do not lead to, a block of unknown time.
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
      // Written with each timepoint, before the log of what caused it.
      if (log.timestamp === undefined) return 'reload'
      const written = updateVolumeFee({ ...pool, quotedAt: log.timestamp })
      return written.feePpm === args.fee ? written : 'reload'
    }
    case 'Swap': {
      // A swap stands in the block of the newest timepoint: else a log was missed.
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
