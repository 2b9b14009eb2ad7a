/**
 * The reader of a feed: loads the published market, then applies each change. A market is given out
 * only when its digest is the published one. After a gap, an unknown parent or a wrong digest it
 * loads again; in the meantime the last whole market stays, and grows old.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TokenFlaw } from '@braid-swap/chain'
import type { Snapshot } from '@braid-swap/core'
import {
  advanceTo,
  agrees,
  applyRecords,
  type Book,
  createBook,
  flawedOf,
  setRecord,
  snapshotOf,
} from './book.js'
import {
  type ChangeHead,
  type Delivery,
  FeedBehindError,
  FeedEmptyError,
  FeedGapError,
  type MarketFeed,
} from './feed.js'

/** A published market: complete, and as of one block. */
export type ReadMarket = {
  readonly snapshot: Snapshot
  readonly flawed: readonly TokenFlaw[]
  readonly sequence: number
  readonly epoch: number
  /** The publisher's status, as JSON. */
  readonly status: string
  /** Time since the block's header was received by the publisher, in milliseconds. */
  readonly ageMs: number
}

/** Options of {@link followFeed}. */
export type FollowFeedOptions = {
  /** Receives every market, in order. */
  readonly onMarket: (market: ReadMarket) => void
  /** Receives the reason whenever the market must be loaded again. */
  readonly onError: (error: unknown) => void
  readonly signal: AbortSignal
  /** Time to the next attempt to load; default 100. */
  readonly retryMs?: number
}

/** Keeps a market equal to the published one until the signal aborts. */
export async function followFeed(feed: MarketFeed, options: FollowFeedOptions): Promise<void> {
  const { onMarket, onError, signal, retryMs = 100 } = options
  while (!signal.aborted) {
    // Ends an iterator of the feed that waits for a change.
    const round = new AbortController()
    const end = () => round.abort()
    signal.addEventListener('abort', end, { once: true })
    try {
      const loaded = await loadPublished(feed, round.signal)
      if (!loaded) throw new FeedEmptyError((await feed.others?.()) ?? [])
      await followFrom(feed, loaded, { onMarket, signal: round.signal })
    } catch (error) {
      if (!signal.aborted) onError(error)
    } finally {
      signal.removeEventListener('abort', end)
      round.abort()
    }
    if (!signal.aborted) await sleep(retryMs, undefined, { signal }).catch(() => {})
  }
}

/** A book that agrees with the digest of the change it was read up to. */
export type Loaded = { readonly book: Book; readonly at: Delivery }

/** Applied changes between two turns of the event loop while a market is loaded. */
const RECORDS_PER_TURN = 500

/**
 * Loads the published market; `undefined` if there is none. Reads the last change, all records, and
 * then the changes up to the last one after that: no state that was read is later. Throws a
 * {@link FeedGapError} if the result does not have the published digest.
 */
export async function loadPublished(
  feed: MarketFeed,
  signal: AbortSignal,
  keeps: 'values' | 'hashes' = 'values',
): Promise<Loaded | undefined> {
  const start = await feed.last()
  if (!start) return undefined
  const book = createBook(keeps)
  let count = 0
  for await (const batch of feed.records()) {
    for (const [key, text, sequence] of batch) {
      setRecord(book, [key, text], sequence)
      count += 1
      if (count % RECORDS_PER_TURN === 0) await new Promise(setImmediate)
    }
  }
  const target = await feed.last()
  const at = await catchUp(feed, { book, at: start }, { target, signal })
  if (!agrees(book, at.head))
    throw new FeedGapError(`records differ from change ${at.head.sequence}`)
  return { book, at }
}

/**
 * The hashes of the published market. Applies the changes since they were loaded, and loads them
 * again if that is not possible. Throws as {@link loadPublished}.
 */
export async function loadHashes(
  feed: MarketFeed,
  known: Loaded | undefined,
  signal: AbortSignal,
): Promise<Loaded | undefined> {
  try {
    const target = await feed.last()
    const at = known && target && (await catchUp(feed, known, { target, signal }))
    if (known && at && agrees(known.book, at.head)) return { book: known.book, at }
  } catch (error) {
    if (!(error instanceof FeedGapError || error instanceof FeedBehindError)) throw error
  }
  return loadPublished(feed, signal, 'hashes')
}

async function catchUp(
  feed: MarketFeed,
  { book, at: start }: Loaded,
  { target, signal }: { readonly target: Delivery | undefined; readonly signal: AbortSignal },
): Promise<Delivery> {
  const end = target?.head.sequence ?? -1
  if (end < start.head.sequence) throw new FeedGapError('the feed went back while it was read')
  let at = start
  if (end === start.head.sequence) return target!
  for await (const delivery of feed.follow(start.head.sequence, signal)) {
    checkNext(at.head, delivery)
    applyRecords(book, delivery)
    at = delivery
    if (delivery.head.sequence >= end) return at
  }
  throw new FeedGapError('the feed ended while it was read')
}

async function followFrom(
  feed: MarketFeed,
  { book, at }: Loaded,
  { onMarket, signal }: Pick<FollowFeedOptions, 'onMarket' | 'signal'>,
): Promise<void> {
  let market = marketOf(at, { snapshot: snapshotOf(book, at.head), flawed: flawedOf(book) })
  let head = at.head
  onMarket(market)
  for await (const delivery of feed.follow(head.sequence, signal)) {
    if (isDuplicate(head, delivery)) continue
    checkNext(head, delivery)
    const applied = applyRecords(book, delivery)
    if (!agrees(book, delivery.head)) {
      throw new FeedGapError(`the market differs from change ${delivery.head.sequence}`)
    }
    head = delivery.head
    market = marketOf(delivery, {
      snapshot: advanceTo(market.snapshot, head, applied),
      flawed: flawedOf(book, market.flawed, applied),
    })
    onMarket(market)
  }
}

function marketOf(
  { head, ageMs }: Delivery,
  market: Pick<ReadMarket, 'snapshot' | 'flawed'>,
): ReadMarket {
  const { sequence, epoch, status } = head
  return { ...market, sequence, epoch, status, ageMs }
}

/** Returns true if a change was applied already. */
function isDuplicate(head: ChangeHead, { head: next }: Delivery): boolean {
  if (next.sequence > head.sequence) return false
  if (next.sequence < head.sequence || next.digest === head.digest) return true
  throw new FeedGapError(`change ${next.sequence} was published twice, with different records`)
}

/** Throws unless a change follows another one directly. */
function checkNext(head: ChangeHead, { head: next }: Delivery): void {
  const { sequence, epoch, block } = head
  if (next.parent === undefined) throw new FeedGapError(`change ${next.sequence} is a whole market`)
  if (next.sequence !== sequence + 1) {
    throw new FeedGapError(`change ${next.sequence} arrived after ${sequence}`)
  }
  if (next.epoch < epoch) throw new FeedGapError(`epoch ${next.epoch} arrived after ${epoch}`)
  if (next.parent !== block.hash) {
    throw new FeedGapError(`change ${next.sequence} has the parent ${next.parent}`, {
      wanted: block.hash,
    })
  }
}
