import type { Address, Hex } from '@braid-swap/core'
import { ZERO_ADDRESS } from '@braid-swap/core/advanced'
import { decodeEventLog } from 'viem'
import type { Log } from '../../reads/log.js'
import type { PoolRef } from '../loader.js'
import type { Venue } from '../venue.js'
import { DONATE, INITIALIZE, INITIALIZE_TOPIC, POOL_TOPICS } from './abi.js'

/** `Initialize` of the manager, which is the venue's factory. */
export const creationTopics: readonly Hex[] = [INITIALIZE_TOPIC]

/**
 * The pool that an `Initialize` log announces. A pool of the native token is one of the venue's wrapped
 * token; `load` refuses it if the venue does not state that token.
 */
export function refOf(venue: Venue, { topics, data }: Pick<Log, 'topics' | 'data'>): PoolRef {
  const { args } = decodeEventLog({ abi: INITIALIZE, topics: [...topics] as never, data })
  const { id, currency0, currency1, fee: feePpm, tickSpacing, hooks } = args
  const isNative = currency0 === ZERO_ADDRESS
  const token0 = isNative ? (venue.wrappedNative ?? ZERO_ADDRESS) : currency0
  return {
    ...refAt(venue, id, [lower(token0), lower(currency1)]),
    key: { feePpm, tickSpacing, hooks: lower(hooks), isNative },
  }
}

/** The pool with an id; it can be loaded only with its key, which {@link refOf} adds. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  return { id, family: 'uniswapV4', venue: venue.id, tokens, factory: lower(venue.factory) }
}

/** The pool that a log of the manager is about: the first indexed argument of its logs about pools. */
export function subjectOf({ topics }: Pick<Log, 'topics'>): Hex | undefined {
  return [...POOL_TOPICS, DONATE].includes(topics[0]!) ? topics[1] : undefined
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address
}
