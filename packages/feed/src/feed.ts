/**
 * The feed of the market: one process follows the chain and publishes each change, others load the
 * published market and follow its changes. A feed only carries and stores changes; what they mean,
 * and whether they fit together, is decided in `publishMarket.ts` and `followFeed.ts`, which are the
 * same over every carrier: memory, processes of one machine, Redis.
 */
import { BaseError, type Block, type Hex } from '@braid-swap/core'

/** Changes with every incompatible change of what is published. */
export const FORMAT = 1

/** Everything about a change except its records. */
export type ChangeHead = {
  readonly format: number
  /** Consecutive, except before a whole market, where it may jump ahead. */
  readonly sequence: number
  /** Term of the leader that published it: raised whenever another process leads. */
  readonly epoch: number
  /** Hash of the block of the change before, which this one is applied to. Absent: a whole market. */
  readonly parent?: Hex
  readonly chainId: number
  readonly wrappedNative: Hex
  readonly block: Block
  /** Digest of all records after the change: see `records.ts`. */
  readonly digest: string
  /** JSON of the publisher's about itself, which the feed does not read. */
  readonly status: string
  /** Time from the receipt of the block's header to the publication, in milliseconds. */
  readonly ageMs: number
}

/** A record of the market, a pool for example: its key and its JSON. */
export type FeedRecord = readonly [key: string, text: string]

/** The records that a change sets and removes. */
export type RecordChanges = {
  readonly set: readonly FeedRecord[]
  readonly removed: readonly string[]
}

/** A publication: a head and the records that changed. A whole market replaces all records. */
export type FeedChange = RecordChanges & {
  readonly head: ChangeHead
  /** A whole market that replaces the changes before it too, because they cannot be read or followed. */
  readonly replacesAll?: boolean
}

/** A change as it arrives. Without records if it is a whole market: those must be loaded. */
export type Delivery = FeedChange & {
  /** Time since the block's header was received by the publisher, in milliseconds. */
  readonly ageMs: number
}

/** A stored record, with the sequence of the change that wrote it. */
export type StoredRecord = readonly [key: string, text: string, sequence: number]

/** Carries the market between processes. */
export type MarketFeed = {
  /**
   * Stores the change and its records, in one step. Throws a {@link PublishRefusedError} if it does
   * not follow the change before; nothing is stored then.
   */
  readonly publish: (change: FeedChange) => Promise<void>
  /** The newest change; `undefined` if nothing is published. */
  readonly last: () => Promise<Delivery | undefined>
  /** All records, in batches. Changes during the call may or may not be in them. */
  readonly records: () => AsyncIterable<readonly StoredRecord[]>
  /**
   * The changes after a sequence, those to come too, until the signal aborts. The first may be later
   * than the next if that is no longer stored. Throws a `FeedBehindError` if the feed has lost
   * the change with this sequence and is behind it.
   */
  readonly follow: (after: number, signal: AbortSignal) => AsyncIterable<Delivery>
  /** Names of markets of other deployments that the carrier has; for a reader that finds none. */
  readonly others?: () => Promise<readonly string[]>
}

/** Why a change is not published. */
export type Refusal = 'lease' | 'sequence' | 'parent'

/** The feed does not take a change: another process leads, or it is not the next one. */
export class PublishRefusedError extends BaseError {
  readonly code = 'PUBLISH_REFUSED'

  constructor(reason: Refusal, { head }: FeedChange) {
    super(`change ${head.sequence} of epoch ${head.epoch} is refused: wrong ${reason}`, { reason })
  }
}

/** The feed was emptied, or restored to an earlier state. */
export class FeedBehindError extends BaseError {
  readonly code = 'FEED_BEHIND'

  constructor(after: number, last: number | undefined) {
    super(`the feed ends at ${last ?? 'nothing'}, before the known change ${after}`, { after })
  }
}

/** Nothing is published under the name that is read: `FEED_OTHER` if there are markets of other deployments. */
export class FeedEmptyError extends BaseError {
  readonly code: 'FEED_EMPTY' | 'FEED_OTHER'

  constructor(others: readonly string[]) {
    const isOther = others.length > 0
    const instead = isOther ? `, but that of another: ${others.join(', ')}` : ''
    super(`no market of this deployment is published${instead}`, { others: others.join(' ') })
    this.code = isOther ? 'FEED_OTHER' : 'FEED_EMPTY'
  }
}

/** Published changes do not fit together, so the market must be loaded again. */
export class FeedGapError extends BaseError {
  readonly code = 'FEED_GAP'
}

/** The market was published by a version of Braid whose records this one cannot read. */
export class FeedFormatError extends BaseError {
  readonly code = 'FEED_FORMAT'

  constructor(got: number) {
    super(`the market is published in format ${got}; this version reads format ${FORMAT}`, {
      got,
      wanted: FORMAT,
    })
  }
}
