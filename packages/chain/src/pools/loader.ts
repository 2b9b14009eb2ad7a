// The interface of a loader: how the pools of a family are found, read and followed on chain. One
// module per family implements it.

import { type Address, BaseError, type Hex, type Pool } from '@braid-swap/core'
import type { LadderProtocol, SolidlyVariant } from '@braid-swap/core/families'
import type { Call } from '../reads/call.js'
import type { Header } from '../reads/headers.js'
import type { Log, LogBody } from '../reads/log.js'
import type { Client } from '../transport/client.js'
import type { Finding } from './check.js'
import type { Glance } from './glance.js'
import { LoadError } from './loadError.js'
import type { FeeSource, LoadedFamily, Venue } from './venue.js'

/** The constant data of a pool, enough to load its state; plain and JSON-serialisable. */
export type PoolRef = {
  /** Its address, or 32 bytes if its factory keeps it. */
  readonly id: Hex
  readonly family: LoadedFamily
  /** Id of the venue it belongs to. */
  readonly venue: string
  /** Two, or more of a pool of several coins; one of a buffer, whose vault names the other. */
  readonly tokens: readonly Address[]
  /** Only if the venue states the fee and the pool does not report it. */
  readonly feePpm?: number
  /** Only if the fee is not the pool's constant `fee()`. */
  readonly feeSource?: FeeSource
  /** Code hashes of modules that its venue names. */
  readonly modules?: readonly Hex[]
  /** Only if the venue states that a swap uses more gas than its family. */
  readonly extraGas?: number
  /** Only if the factory stores part of the pool's state, or all of it. */
  readonly factory?: Address
  /** Only if the pool's id is a hash of it, with the tokens. */
  readonly key?: PoolKey
  /** The variant of a Solidly pair. */
  readonly variant?: SolidlyVariant
  /** The protocol of a sampled pool; default `estimateSwap`. */
  readonly protocol?: LadderProtocol
  /** Part by which the outputs of a sampled pool are lowered, in parts per million; default 0. */
  readonly haircutPpm?: number
}

/** The key that distinguishes the pools of two tokens that one contract keeps. */
export type PoolKey = {
  readonly feePpm: number
  readonly tickSpacing: number
  readonly hooks: Address
  /** True if its first token stands for the native one. */
  readonly isNative: boolean
}

/** Two tokens: of a pool, or those between which pools are looked for. */
export type TokenPair = readonly [Address, Address]

/** The tokens of a pool of a family whose pools have two. */
export function tokenPairOf({ id, tokens }: PoolRef): TokenPair {
  const [a, b, ...more] = tokens
  if (a !== undefined && b !== undefined && more.length === 0) return [a, b]
  throw new LoadError(
    'POOL_FORM_UNKNOWN',
    `pool ${id} has ${tokens.length} tokens instead of two`,
    {
      ...{ pool: id, got: `${tokens.length}`, wanted: '2' },
    },
  )
}

/** A generator of reads: it yields calls, receives their answers in order and returns a value. */
export type Load<P> = Generator<readonly Call[], P, readonly Hex[]>

/** The block at which a factory is asked for its pools, and a callback for unreadable ones. */
export type Enumeration = {
  readonly to: Header
  /** Called with a pool that does not return its tokens. */
  readonly leaveOut: (id: Address) => void
}

/** The functions that find, read and follow a family's pools. */
export type Loader<P extends Pool> = {
  /** Topics of the logs that `applyLog` understands. */
  readonly topics: readonly Hex[]
  /** Those of them that replace everything they touch, whatever the state was before. */
  readonly replacingTopics: readonly Hex[]
  /** Topics that never change what a pool pays. Any unknown log reloads the pool. */
  readonly ignoredTopics: readonly Hex[]
  /** Topics of the factory's logs of a new pool; empty if it emits none. */
  readonly creationTopics: readonly Hex[]
  /** The pool that a creation log announces. */
  readonly refOf: (venue: Venue, log: Pick<Log, 'topics' | 'data'>) => PoolRef
  /**
   * Calls to the factory for the pools of two tokens, ascending; each returns an address or zero.
   * Absent if the factory cannot be asked by tokens.
   */
  readonly findCalls?: (venue: Venue, tokens: TokenPair) => readonly Call[]
  /**
   * The pool that a log of the venue's factory is about, or all of its pools, if that contract keeps
   * the pools' tokens and emits their logs. Absent if every pool emits its own.
   */
  readonly subjectOf?: (log: Pick<Log, 'topics'>) => Hex | 'all' | undefined
  readonly refAt: (venue: Venue, id: Address, tokens: PoolRef['tokens']) => PoolRef
  /** Every pool of the venue, from its factory's list; absent if pools are found only by logs. */
  readonly discover?: (client: Client, venue: Venue, at: Enumeration) => Promise<readonly PoolRef[]>
  /**
   * The pool's checked state; throws a LoadError for a state that no contract of the family can
   * have.
   */
  readonly load: (ref: PoolRef) => Load<P>
  /** The state after a log, or `'reload'` if the log does not determine it. */
  readonly applyLog: (pool: P, log: LogBody) => P | 'reload'
  /** Cheap reads that show whether a state is still the chain's; absent: only a load can tell. */
  readonly glance?: (pool: P) => Glance
  /** Checks of a pool beyond loading it, for `braid doctor`. */
  readonly examine?: (client: Client, ref: PoolRef) => Promise<readonly Finding[]>
}

/** A factory does not behave as a factory of its family. */
export class VenueError extends BaseError {
  readonly code = 'VENUE_UNREADABLE'

  constructor(venue: Venue) {
    const { id, factory, family } = venue
    super(`the factory ${factory} of ${id} does not behave as a ${family} factory`, {
      venue: id,
      factory,
      family,
    })
  }
}
