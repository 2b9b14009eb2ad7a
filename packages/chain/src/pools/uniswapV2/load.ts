// Loads and follows a Uniswap V2 pair: two reserves, and a fee that the venue states.

import type { UniswapV2Pool } from '@braid-swap/core/families'
import { decodeEventLog } from 'viem'
import { wordAt } from '../../reads/abiWords.js'
import type { Log } from '../../reads/log.js'
import { balanceCalls, requireBacked, reservesGlance } from '../glance.js'
import { inRange } from '../loadError.js'
import { type Load, type PoolRef, tokenPairOf } from '../loader.js'
import { GET_RESERVES, IGNORED_TOPICS, SYNC, SYNC_TOPIC } from './abi.js'

/** `Sync`. */
export const topics = [SYNC_TOPIC]
/** `Sync`, because it contains the whole state. */
export const replacingTopics = [SYNC_TOPIC]
/** Logs that accompany a `Sync`. */
export const ignoredTopics = IGNORED_TOPICS

/** Reads `getReserves()` and the balances behind them. */
export function* load(ref: PoolRef): Load<UniswapV2Pool> {
  const [answer, ...balances] = yield [{ to: ref.id, data: GET_RESERVES }, ...balanceCalls(ref)]
  const pool: UniswapV2Pool = {
    family: 'uniswapV2',
    id: ref.id,
    venue: ref.venue,
    tokens: tokenPairOf(ref),
    reserves: [reserve(ref, answer!, 0), reserve(ref, answer!, 1)],
    feePpm: ref.feePpm ?? 3000,
  }
  return requireBacked(pool, balances)
}

/** Applies a `Sync`, which contains the whole state. */
export function applyLog(
  pool: UniswapV2Pool,
  log: Pick<Log, 'topics' | 'data'>,
): UniswapV2Pool | 'reload' {
  if (log.topics[0] !== SYNC_TOPIC) return 'reload'
  const { args } = decodeEventLog({
    abi: [SYNC],
    topics: [...log.topics] as never,
    data: log.data,
  })
  return { ...pool, reserves: [args.reserve0, args.reserve1] }
}

const MAX_UINT112 = (1n << 112n) - 1n

function reserve(ref: PoolRef, answer: `0x${string}`, index: number): bigint {
  const field = `reserves[${index}]`
  return inRange(wordAt(answer, index), { pool: ref.id, field, min: 0n, max: MAX_UINT112 })
}

/** The pair's reserves. */
export const glance = reservesGlance
