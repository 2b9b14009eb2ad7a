import type { Address, Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { addressOf } from '../../reads/abiWords.js'
import type { Log } from '../../reads/log.js'
import type { PoolRef } from '../loader.js'
import type { Venue } from '../venue.js'
import { LIQUIDITY_ADDED_TO_BUFFER } from './abi.js'

/** The first liquidity of a buffer; no log announces the buffer itself. Later ones name it again. */
export const creationTopics: readonly Hex[] = [LIQUIDITY_ADDED_TO_BUFFER]

/** The buffer that a log is about. The log does not name the asset, which `load` reads. */
export function refOf(venue: Venue, { topics }: Pick<Log, 'topics'>): PoolRef {
  const wrapped = BigInt(topics[1]!)
  return refAt(venue, toHex(wrapped, 32) as Address, [addressOf(wrapped)])
}

/** The buffer with an id, which is the wrapped token's address in 32 bytes. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  const factory = venue.factory.toLowerCase() as Address
  return { id, family: 'balancerBuffer', venue: venue.id, tokens, factory }
}
