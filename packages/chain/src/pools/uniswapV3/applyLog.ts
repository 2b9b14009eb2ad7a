import type { Tick, UniswapV3Pool } from '@braid-swap/core'
import { decodeEventLog } from 'viem'
import type { Log } from '../loader.js'
import { IGNORED_TOPICS, POOL_EVENTS, POOL_TOPICS } from './abi.js'
import { liquidityAt } from './load.js'

/** `Swap`, `Mint`, `Burn`, `Initialize`. */
export const topics = POOL_TOPICS
/** `Swap`: price, tick and liquidity outright, and no tick's own liquidity. */
export const replacingTopics = POOL_TOPICS.slice(0, 1)
/** Fees, flash loans, oracle. */
export const ignoredTopics = IGNORED_TOPICS

/**
 * The pool after a swap or a change of liquidity. `'reload'` where the log cannot tell: a burn that
 * leaves a tick with no net liquidity may or may not have emptied it, and a sum that does not come
 * out means a log was missed.
 */
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
    return checked({ ...pool, sqrtPriceX96, liquidity, tick })
  }
  // A burn of nothing is how owners settle their fees.
  if (args.amount === 0n) return pool
  const amount = eventName === 'Mint' ? args.amount : -args.amount
  const { tickLower, tickUpper } = args
  const ticks = addNet(addNet(pool.ticks, tickLower, amount), tickUpper, -amount)
  const emptied = ticks.some(
    ({ index, liquidityNet }) =>
      liquidityNet === 0n && (index === tickLower || index === tickUpper),
  )
  if (emptied && eventName === 'Burn') return 'reload'
  const inRange = tickLower <= pool.tick && pool.tick < tickUpper
  return checked({ ...pool, ticks, liquidity: pool.liquidity + (inRange ? amount : 0n) })
}

function checked(pool: UniswapV3Pool): UniswapV3Pool | 'reload' {
  return liquidityAt(pool) === pool.liquidity ? pool : 'reload'
}

function addNet(ticks: readonly Tick[], index: number, amount: bigint): readonly Tick[] {
  const at = ticks.findIndex((tick) => tick.index >= index)
  const found = at === -1 ? undefined : ticks[at]
  if (found?.index !== index) {
    const position = at === -1 ? ticks.length : at
    return ticks.toSpliced(position, 0, { index, liquidityNet: amount })
  }
  return ticks.with(at, { index, liquidityNet: found.liquidityNet + amount })
}
