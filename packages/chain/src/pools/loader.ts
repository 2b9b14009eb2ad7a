import { type Address, BaseError, type Hex, type Pool, type SolidlyVariant } from '@braid-swap/core'
import type { Client } from '../client.js'
import type { Finding } from '../finding.js'
import type { Header } from '../headers.js'
import type { Venue } from '../venues/venue.js'

/** The families that live in contracts; wrapping has no state to load. */
export type LoadedFamily = Exclude<Pool['family'], 'wrap'>

/**
 * Who tells the fee of a swap: the pool's `currentFee()` (Ramses), or its factory, which asks a
 * module (Slipstream).
 */
export type FeeSource = 'currentFee' | 'swapFeeModule'

/** What is known of a pool for good, and enough to load its state: plain and JSON-serialisable. */
export type PoolRef = {
  readonly id: Address
  readonly family: LoadedFamily
  /** Id of the venue it belongs to. */
  readonly venue: string
  readonly tokens: readonly [Address, Address]
  /** Only where the venue knows the fee and the pool does not tell it. */
  readonly feePpm?: number
  /** Only where the fee is not the pool's `fee()` for good. */
  readonly feeSource?: FeeSource
  /** Only where the venue says that a swap takes more gas than its family's. */
  readonly extraGas?: number
  /** Only where the factory tells part of the pool's state. */
  readonly factory?: Address
  /** Whose kind of a Solidly pair it is. */
  readonly variant?: SolidlyVariant
}

/** A read-only contract call. One that `mayFail` answers `0x` when it does; any other fails its load. */
export type Call = {
  readonly to: Address
  readonly data: Hex
  readonly mayFail?: true
  /**
   * Reads the storage slot that `data` names, for what has no getter. Unlike a call it does not say
   * which block it saw: a load that reads slots makes calls before and after.
   */
  readonly isSlot?: true
}

/** A log as far as pools are concerned; address and topics in lower case. */
export type Log = {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly logIndex: number
  /** Unix seconds of its block, where its header was read. */
  readonly timestamp?: bigint
}

/** What `applyLog` reads of a log. */
export type LogBody = Pick<Log, 'topics' | 'data' | 'timestamp'>

/** Reads written as a generator: it yields calls, receives their results in order, returns a value. */
export type Load<P> = Generator<readonly Call[], P, readonly Hex[]>

/** When a factory is asked for its pools, and what to do with those it cannot vouch for. */
export type Enumeration = {
  readonly to: Header
  /** Told of a pool that does not say what its tokens are. */
  readonly leaveOut: (id: Address) => void
}

/** How a family's pools are found, read and followed: a module per family. */
export type Loader<P extends Pool> = {
  /** Logs `applyLog` understands. */
  readonly topics: readonly Hex[]
  /** Those among them that replace all they touch, whatever was there before. */
  readonly replacingTopics: readonly Hex[]
  /** Logs of such a pool that never change what it pays. Any other log reloads the pool. */
  readonly ignoredTopics: readonly Hex[]
  /** The factory's logs of a new pool. */
  readonly creationTopics: readonly Hex[]
  /** The pool a creation log tells of. */
  readonly refOf: (venue: Venue, log: Pick<Log, 'topics' | 'data'>) => PoolRef
  /**
   * Asks the factory for the pools of two tokens, ascending; each call answers an address or zero.
   * Absent where `discover` needs no logs.
   */
  readonly findCalls?: (venue: Venue, tokens: PoolRef['tokens']) => readonly Call[]
  readonly refAt: (venue: Venue, id: Address, tokens: PoolRef['tokens']) => PoolRef
  /** Every pool of the venue, as its factory lists them; absent where only its logs tell. */
  readonly discover?: (client: Client, venue: Venue, at: Enumeration) => Promise<readonly PoolRef[]>
  /** The pool's checked state; throws a LoadError for a state no contract of the family can have. */
  readonly load: (ref: PoolRef) => Load<P>
  /** The state after a log, or `'reload'` where the log does not tell it. */
  readonly applyLog: (pool: P, log: LogBody) => P | 'reload'
  /** What more than loading a pool can find out about it, for `braid doctor`. */
  readonly examine?: (client: Client, ref: PoolRef) => Promise<readonly Finding[]>
}

/** A factory that does not answer as its family's factories do. */
export class VenueError extends BaseError {
  readonly code = 'VENUE_UNREADABLE'

  constructor(venue: Venue) {
    const { id, factory, family } = venue
    super(`the factory ${factory} of ${id} does not answer as a ${family} factory`, {
      venue: id,
      factory,
      family,
    })
  }
}
