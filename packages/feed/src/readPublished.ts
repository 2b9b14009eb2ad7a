/** What a feed has, as a publisher sees it that is about to write the difference. */
import { BaseError } from '@braid-swap/core'
import { type ChangeHead, type MarketFeed, PublishRefusedError } from './feed.js'
import { type Loaded, loadHashes } from './followFeed.js'
import type { PublishedMarket } from './records.js'

/** A market to publish, with the publisher's status and the time since its head was received. */
export type Publication = PublishedMarket & { readonly status: string; readonly ageMs: number }

/**
 * The feed's content: the hash of each record, and the market that it came from. The hashes are moved
 * on in place, so after a failure everything is read again.
 */
export type Published = {
  readonly hashes: Map<string, bigint>
  readonly sum: bigint
  readonly head?: ChangeHead
  /** Absent if it was read from the feed. */
  readonly market?: Publication
  /** True if the feed has something that cannot be read or followed. */
  readonly isForeign?: boolean
}

/** Reads what the feed has. Throws if the carrier cannot be reached. */
export async function readPublished(
  feed: MarketFeed,
  followed: Loaded | undefined,
  { signal, isRefused }: { readonly signal: AbortSignal; readonly isRefused: boolean },
): Promise<Published> {
  const nothing: Published = { hashes: new Map(), sum: 0n }
  if (isRefused) return { ...nothing, isForeign: true }
  try {
    const loaded = await loadHashes(feed, followed, signal)
    if (!loaded) return nothing
    const { book, at } = loaded
    const hashes = new Map([...book.entries].map(([key, { hash }]) => [key, hash]))
    return { hashes, sum: book.sum, head: at.head }
  } catch (error) {
    // Only the leader writes, so records that do not fit together stay so: the whole market follows.
    if (isAway(error)) throw error
    const last = await feed.last().catch((fault: unknown) => {
      if (isAway(fault)) throw fault
      return undefined
    })
    if (!last) return { ...nothing, isForeign: true }
    return { ...nothing, head: { ...last.head, digest: '' } }
  }
}

/** True if the carrier cannot be reached, which says nothing about what it has. */
function isAway(error: unknown): boolean {
  return error instanceof BaseError && error.code === 'REDIS_AWAY'
}

/** True if a change was refused that follows what could be read: something else is there. */
export function isOutOfSequence(error: unknown): boolean {
  return error instanceof PublishRefusedError && error.details['reason'] === 'sequence'
}
