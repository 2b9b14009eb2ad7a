// The input and the output of a synchronisation: pools before and after `syncPools`.

import type { Address, Hex, Pool } from '@braid-swap/core'
import type { LoadError } from '../pools/loadError.js'
import type { PoolRef } from '../pools/loader.js'
import type { Venue } from '../pools/venue.js'
import type { Header, Point } from '../reads/headers.js'
import type { ReadLogs } from '../reads/roundLogs.js'
import type { TrailBlock } from './market.js'

/** The start of a synchronisation. */
export type SyncRequest = {
  /** The block of the states in `pools`; absent if there are none yet. */
  readonly base?: Point
  /** The logs of the newest blocks up to `base`: their blocks are read again. */
  readonly read?: ReadLogs | undefined
  readonly pools: ReadonlyMap<Address, Pool>
  /** Every pool to follow, by id. */
  readonly refs: ReadonlyMap<Address, PoolRef>
  /** Ids of refs to read again. */
  readonly reload: Iterable<Address>
  /** Pools that the logs of earlier rounds may not have brought to `base`. */
  readonly unproved?: readonly Address[] | undefined
  /** Some of them, as of `base`: a shadow copy follows them by logs alone, for comparison. */
  readonly derived?: readonly Pool[]
  readonly check?: Check | undefined
  /** Pools never to be read again, whatever they log. */
  readonly banned?: ReadonlySet<Address>
  /** Venues whose new pools join. */
  readonly venues: readonly Venue[]
  /** The requested block. */
  readonly target: Header
}

/** Pools whose states are compared with cheap reads at the target; those that differ are read again. */
export type Check = {
  readonly ids: readonly Address[]
  /** They are compared now; otherwise only if the node's logs are in doubt, or not proved and under watch. */
  readonly isDue: boolean
  /** Receives what the comparison told, if one was made. */
  readonly onCompared?: (found: Comparison) => void
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
  /** Blocks after the base, oldest first; the newest has all that changed. None if it is the base. */
  readonly recentBlocks: readonly TrailBlock[]
  /** The logs of the newest blocks, to be compared with those of the next round. */
  readonly read?: ReadLogs
  /** Pools that may have changed without a log that was read: a block was skipped, or is not proved. */
  readonly unproved: readonly Address[]
  /** Contracts that say in a log that their behaviour may have changed. */
  readonly changedBehaviour: ReadonlySet<Address>
  /** The pool, or the unknown contract, of each swap after the base, where the logs of all were read. */
  readonly swaps: readonly Hex[]
  /** What the cheap reads told; absent if none were made. */
  readonly comparison?: Comparison
}

/** Pools whose cheap reads differ from their states. */
export type Comparison = {
  /** They differed at the target, and were read again. */
  readonly drifted: readonly Address[]
  /** They differed at another block, where a log may have changed them. */
  readonly undecided: readonly Address[]
}
