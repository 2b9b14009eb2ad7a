// The input and the output of a synchronisation: pools before and after `syncPools`.

import type { Address, Hex, Pool } from '@braid-swap/core'
import type { LoadError } from '../pools/loadError.js'
import type { PoolRef } from '../pools/loader.js'
import type { Venue } from '../pools/venue.js'
import type { Header } from '../reads/headers.js'
import type { TrailBlock } from './market.js'

/** The start of a synchronisation. */
export type SyncRequest = {
  /** The block of the states in `pools`; absent if there are none yet. */
  readonly base?: { readonly number: bigint; readonly hash: Hex }
  readonly pools: ReadonlyMap<Address, Pool>
  /** Every pool to follow, by id. */
  readonly refs: ReadonlyMap<Address, PoolRef>
  /** Ids of refs to read again. */
  readonly reload: Iterable<Address>
  /** Some of them, as of `base`: a shadow copy follows them by logs alone, for comparison. */
  readonly derived?: readonly Pool[]
  /** Pools never to be read again, whatever they log. */
  readonly banned?: ReadonlySet<Address>
  /** Venues whose new pools join. */
  readonly venues: readonly Venue[]
  /** The requested block. */
  readonly target: Header
}

/** Every pool as of one block. */
export type SyncedPools = {
  /** The requested block, or a later one if the node can only read its latest. */
  readonly header: Header
  readonly pools: ReadonlyMap<Address, Pool>
  /** The shadow copies that logs alone could carry to this block. */
  readonly derived: ReadonlyMap<Address, Pool>
  readonly refs: ReadonlyMap<Address, PoolRef>
  /** Pools that could not be read. */
  readonly failures: ReadonlyMap<Address, LoadError>
  /** Ids whose state differs from the given one, or was read again. */
  readonly moved: ReadonlySet<Address>
  /** The blocks after the base, oldest first. */
  readonly recentBlocks: readonly TrailBlock[]
}
