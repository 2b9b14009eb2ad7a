// Follows a Uniswap V3 pool by its logs, including the price oracle that a dynamic fee reads.

import { type UniswapV3Pool, writeObservation } from '@braid-swap/core/families'
import { decodeEventLog } from 'viem'
import type { LogBody } from '../../reads/log.js'
import { withLiquidity, withPrice } from '../concentrated.js'
import { IGNORED_TOPICS, POOL_EVENTS, POOL_TOPICS } from './abi.js'

/** `Swap`, `Mint`, `Burn`, `Initialize`, `IncreaseObservationCardinalityNext`. */
export const topics = POOL_TOPICS
/** Both forms of `Swap`: they set price, tick and liquidity and change no tick. */
export const replacingTopics = POOL_TOPICS.slice(0, 2)
/** Fees and flash loans. */
export const ignoredTopics = IGNORED_TOPICS

/** The pool after a swap or a change of liquidity; `'reload'` if the log does not determine it. */
export function applyLog(pool: UniswapV3Pool, log: LogBody): UniswapV3Pool | 'reload' {
  if (!POOL_TOPICS.includes(log.topics[0]!)) return 'reload'
  const { eventName, args } = decodeEventLog({
    abi: POOL_EVENTS,
    topics: [...log.topics] as never,
    data: log.data,
  })
  switch (eventName) {
    case 'Initialize':
      return 'reload'
    case 'IncreaseObservationCardinalityNext':
      return withRoom(pool, args.observationCardinalityNextNew)
    case 'Swap': {
      const { sqrtPriceX96, liquidity, tick } = args
      const moved = withPrice(pool, { sqrtPriceX96, liquidity, tick })
      return tick === pool.tick ? moved : withObservation(moved, pool.tick, log)
    }
    default: {
      const { tickLower: lower, tickUpper: upper } = args
      const amount = eventName === 'Mint' ? args.amount : -args.amount
      const changed = withLiquidity(pool, { lower, upper, amount })
      const isInRange = amount !== 0n && lower <= pool.tick && pool.tick < upper
      return isInRange ? withObservation(changed, pool.tick, log) : changed
    }
  }
}

/** Writes the oracle of a dynamic fee: the tick that held until the log's block. Needs its time. */
function withObservation(
  pool: UniswapV3Pool | 'reload',
  tick: number,
  { timestamp }: LogBody,
): UniswapV3Pool | 'reload' {
  if (pool === 'reload' || !pool.dynamicFee) return pool
  if (timestamp === undefined) return 'reload'
  const { dynamicFee } = pool
  const write = { timestamp, tick, keepSeconds: dynamicFee.secondsAgo }
  const oracle = writeObservation(dynamicFee.oracle, write)
  return { ...pool, dynamicFee: { ...dynamicFee, oracle } }
}

/** Sets the number of observations that the oracle of a dynamic fee grows to at its next wrap. */
function withRoom(pool: UniswapV3Pool, cardinalityNext: number): UniswapV3Pool {
  const { dynamicFee } = pool
  if (!dynamicFee) return pool
  const oracle = { ...dynamicFee.oracle, cardinalityNext }
  return { ...pool, dynamicFee: { ...dynamicFee, oracle } }
}
