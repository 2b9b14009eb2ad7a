import type { UniswapV3Pool } from '@braid-swap/core'
import { decodeEventLog } from 'viem'
import { withLiquidity, withPrice } from '../concentrated.js'
import type { Log } from '../loader.js'
import { IGNORED_TOPICS, POOL_EVENTS, POOL_TOPICS } from './abi.js'

/** `Swap`, `Mint`, `Burn`, `Initialize`. */
export const topics = POOL_TOPICS
/** `Swap`: price, tick and liquidity outright, and no tick's own liquidity. */
export const replacingTopics = POOL_TOPICS.slice(0, 1)
/** Fees, flash loans, oracle. */
export const ignoredTopics = IGNORED_TOPICS

/** The pool after a swap or a change of liquidity; `'reload'` where the log cannot tell it. */
export function applyLog(
  pool: UniswapV3Pool,
  log: Pick<Log, 'topics' | 'data'>,
): UniswapV3Pool | 'reload' {
  if (!POOL_TOPICS.includes(log.topics[0]!)) return 'reload'
  const { eventName, args } = decodeEventLog({
    abi: POOL_EVENTS,
    topics: [...log.topics] as never,
    data: log.data,
  })
  if (eventName === 'Initialize') return 'reload'
  if (eventName === 'Swap') {
    const { sqrtPriceX96, liquidity, tick } = args
    return withPrice(pool, { sqrtPriceX96, liquidity, tick })
  }
  const { tickLower: lower, tickUpper: upper } = args
  const amount = eventName === 'Mint' ? args.amount : -args.amount
  return withLiquidity(pool, { lower, upper, amount })
}
