import type { Address, Hex } from '@braid-swap/core'
import { addressOf, wordAt } from '../../reads/abiWords.js'
import type { Log } from '../../reads/log.js'
import * as buffers from '../balancerBuffer/discover.js'
import type { PoolRef } from '../loader.js'
import type { Venue } from '../venue.js'
import { BUFFERS_PAUSED, POOL_REGISTERED, VAULT_PAUSED } from './abi.js'

/**
 * `PoolRegistered` of the vault, which is the venue's factory: pools come from many factories. The vault's
 * buffers of ERC-4626 tokens are of the same venue.
 */
export const creationTopics: readonly Hex[] = [POOL_REGISTERED, ...buffers.creationTopics]

// A token's configuration: its address, kind and rate provider, and whether it pays yield fees.
const WORDS_OF_TOKEN = 4

/** The pool that a `PoolRegistered` log announces, or the buffer that a log of its liquidity names. */
export function refOf(venue: Venue, log: Pick<Log, 'topics' | 'data'>): PoolRef {
  const { topics, data } = log
  if (topics[0] !== POOL_REGISTERED) return buffers.refOf(venue, log)
  const start = Number(wordAt(data, 0)) / 32
  const count = Number(wordAt(data, start))
  const tokens = Array.from({ length: count }, (_, k) =>
    addressOf(wordAt(data, start + 1 + WORDS_OF_TOKEN * k)),
  )
  return refAt(venue, addressOf(BigInt(topics[1]!)), tokens)
}

/** The pool at an address. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  const factory = venue.factory.toLowerCase() as Address
  return { id, family: 'balancerV3', venue: venue.id, tokens, factory }
}

/** The pool that a log of the vault is about: the first indexed argument of most of its events. */
export function subjectOf({ topics }: Pick<Log, 'topics'>): Address | 'all' | undefined {
  if (topics[0] === VAULT_PAUSED || topics[0] === BUFFERS_PAUSED) return 'all'
  if (creationTopics.includes(topics[0]!) || topics[1] === undefined) return undefined
  return BigInt(topics[1]) >> 160n === 0n ? addressOf(BigInt(topics[1])) : undefined
}
