import type { Address } from '@braid-swap/core'
import { decodeEventLog } from 'viem'
import { callData } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import type { Log } from '../../reads/log.js'
import type { PoolRef, TokenPair } from '../loader.js'
import type { Venue } from '../venue.js'
import { POOL_BY_PAIR, POOL_CREATED, POOL_CREATED_TOPICS } from './abi.js'

/** `Pool` and `CustomPool`. */
export const creationTopics = POOL_CREATED_TOPICS

/** The pool that a creation log announces. */
export function refOf(venue: Venue, { topics, data }: Pick<Log, 'topics' | 'data'>): PoolRef {
  const { args } = decodeEventLog({ abi: POOL_CREATED, topics: [...topics] as never, data })
  return refAt(venue, args.pool.toLowerCase() as Address, [
    args.token0.toLowerCase() as Address,
    args.token1.toLowerCase() as Address,
  ])
}

/** The pool at an address. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  const { modules } = venue
  return { id, family: 'algebraIntegral', venue: venue.id, tokens, ...(modules && { modules }) }
}

/** `poolByPair` of two tokens; pools of custom deployers are found only by their logs. */
export function findCalls(venue: Venue, [a, b]: TokenPair): readonly Call[] {
  return [{ to: venue.factory, data: callData(POOL_BY_PAIR, BigInt(a), BigInt(b)) }]
}
