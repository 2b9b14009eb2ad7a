// Follows an Algebra Integral pool by its logs, including the state of the plugin behind its fee: the
// volatility oracle of an adaptive fee, the factors of a sliding one.

import { type AlgebraIntegralPool, beforeSwap, swapFeePpm } from '@braid-swap/core/families'
import { decodeEventLog } from 'viem'
import type { LogBody } from '../../reads/log.js'
import { withLiquidity, withPrice } from '../concentrated.js'
import { IGNORED_TOPICS, POOL_EVENTS, POOL_TOPICS } from './abi.js'

/**
 * `Swap` in its two forms, `SwapFee`, `Fee`, `Mint`, `Burn` in two, `Initialize`, plugin changes.
 */
export const topics = POOL_TOPICS
/** `Swap` sets price, tick and liquidity; `Fee` sets the fee. */
export const replacingTopics = [POOL_TOPICS[0]!, POOL_TOPICS[1]!, POOL_TOPICS[3]!]
/** Collected fees, reserves, flash loans, tick spacing of new positions. */
export const ignoredTopics = IGNORED_TOPICS

/**
 * The pool after a swap, a new fee or a change of liquidity. `'reload'` if the log does not
 * determine the state: a change of plugin or hooks, a fee that a plugin chose for one swap, or a
 * fee that does not follow from our timepoints.
 */
export function applyLog(pool: AlgebraIntegralPool, log: LogBody): AlgebraIntegralPool | 'reload' {
  if (!POOL_TOPICS.includes(log.topics[0]!)) return 'reload'
  const { eventName, args } = decodeEventLog({
    abi: POOL_EVENTS,
    topics: [...log.topics] as never,
    data: log.data,
  })
  switch (eventName) {
    case 'Initialize':
    case 'Plugin':
    case 'PluginConfig':
      return 'reload'
    case 'Fee':
      return pool.adaptiveFee
        ? expecting(pool, args.fee, log.timestamp)
        : { ...pool, feePpm: args.fee }
    case 'SwapFee':
      return withSwapFee(pool, args, log.timestamp)
    case 'Swap': {
      if ('overrideFee' in args && withSwapFee(pool, args, log.timestamp) === 'reload') {
        return 'reload'
      }
      const before = hooked(pool, log.timestamp)
      if (before === 'reload') return before
      const { price: sqrtPriceX96, tick, liquidity } = args
      return withPrice(before, { sqrtPriceX96, tick, liquidity })
    }
    default: {
      const { bottomTick: lower, topTick: upper } = args
      const amount = eventName === 'Mint' ? args.liquidityAmount : -args.liquidityAmount
      return withLiquidity(pool, { lower, upper, amount })
    }
  }
}

/** Checks the fees of a swap against the pool; 0 and 0 mean the pool's stored fee. */
function withSwapFee(
  pool: AlgebraIntegralPool,
  fees: { readonly overrideFee: number; readonly pluginFee: number },
  timestamp: bigint | undefined,
): AlgebraIntegralPool | 'reload' {
  if (fees.pluginFee !== 0) return 'reload'
  return fees.overrideFee === 0 ? pool : expecting(pool, fees.overrideFee, timestamp)
}

/** The pool unchanged, if the fee of a swap follows from its plugin's state; otherwise `'reload'`. */
function expecting(
  pool: AlgebraIntegralPool,
  feePpm: number,
  timestamp: bigint | undefined,
): AlgebraIntegralPool | 'reload' {
  const before = hooked(pool, timestamp)
  if (before === 'reload' || !(pool.adaptiveFee ?? pool.slidingFee)) return 'reload'
  // The log does not name the direction, so a sliding fee may be that of either.
  const isKnown = [true, false].some((zeroForOne) => swapFeePpm(before, zeroForOne) === feePpm)
  return isKnown ? pool : 'reload'
}

/** The pool after its plugin's hook before a swap in the block of a log. */
function hooked(
  pool: AlgebraIntegralPool,
  timestamp: bigint | undefined,
): AlgebraIntegralPool | 'reload' {
  if (!pool.adaptiveFee && !pool.slidingFee) return pool
  return timestamp === undefined ? 'reload' : beforeSwap({ ...pool, quotedAt: timestamp })
}
