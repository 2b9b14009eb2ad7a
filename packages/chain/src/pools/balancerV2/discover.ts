import type { Address, Hex } from '@braid-swap/core'
import { addressOf, listOf } from '../../reads/abiWords.js'
import type { Log } from '../../reads/log.js'
import type { PoolRef } from '../loader.js'
import type { Venue } from '../venue.js'
import * as abi from './abi.js'

/** `TokensRegistered` of the vault, which is the venue's factory: pools come from many factories. */
export const creationTopics: readonly Hex[] = [abi.TOKENS_REGISTERED]

/** The pool that a `TokensRegistered` log announces. */
export function refOf(venue: Venue, { topics, data }: Pick<Log, 'topics' | 'data'>): PoolRef {
  return refAt(venue, poolOf(topics[1]!), listOf(data).map(addressOf))
}

/** The pool at an address. Its own share token is not one that it trades here. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  const factory = venue.factory.toLowerCase() as Address
  const traded = tokens.filter((token) => token !== id)
  return { id, family: 'balancerV2', venue: venue.id, tokens: traded, factory }
}

const ABOUT_ONE: readonly Hex[] = [
  ...[abi.SWAP, abi.POOL_BALANCE_CHANGED, abi.POOL_BALANCE_MANAGED, abi.TOKENS_DEREGISTERED],
]

/** The pool that a log of the vault is about: the pool id begins with its address. */
export function subjectOf({ topics }: Pick<Log, 'topics'>): Address | 'all' | undefined {
  if (topics[0] === abi.PAUSED) return 'all'
  return ABOUT_ONE.includes(topics[0]!) ? poolOf(topics[1]!) : undefined
}

function poolOf(poolId: Hex): Address {
  return poolId.slice(0, 42).toLowerCase() as Address
}
