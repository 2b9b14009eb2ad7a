/** A feed within one process: the records, and the last changes. Other carriers behave like it. */
import { EventEmitter, once } from 'node:events'
import {
  type Delivery,
  FeedBehindError,
  type FeedChange,
  type MarketFeed,
  PublishRefusedError,
  type Refusal,
  type StoredRecord,
} from './feed.js'

/** Changes kept for those that are behind: more than ten minutes of blocks. */
export const KEPT_CHANGES = 1_200

/** Records in one batch. */
const BATCH = 500

type Stored = { readonly change: FeedChange; readonly atMs: number }

/** A feed within one process. */
export type MemoryFeed = MarketFeed & {
  /** Drops all changes but the last ones. */
  readonly trim: (keep: number) => void
}

/** Creates an empty feed. */
export function createMemoryFeed(): MemoryFeed {
  const records = new Map<string, StoredRecord>()
  let log: Stored[] = []
  // Each reader that waits listens.
  const changes = new EventEmitter().setMaxListeners(0)
  const publish = async (change: FeedChange) => {
    if (change.replacesAll) log = []
    const refusal = refusalOf(change, log.at(-1)?.change)
    if (refusal) throw new PublishRefusedError(refusal, change)
    const { head, set, removed } = change
    const isWhole = head.parent === undefined
    if (isWhole) records.clear()
    for (const [key, text] of set) records.set(key, [key, text, head.sequence])
    for (const key of removed) records.delete(key)
    const kept = isWhole ? { head, set: [], removed: [] } : change
    log = [...log, { change: kept, atMs: performance.now() }].slice(-KEPT_CHANGES)
    changes.emit('change')
  }
  return {
    publish,
    trim: (count) => {
      log = log.slice(-count)
    },
    last: async () => deliver(log.at(-1)),
    records: async function* () {
      // A copy, because the caller may wait between two batches.
      const all = [...records.values()]
      for (let i = 0; i < all.length; i += BATCH) yield all.slice(i, i + BATCH)
    },
    follow: async function* (after, signal) {
      let sequence = after
      while (!signal.aborted) {
        const last = log.at(-1)?.change.head.sequence
        if (last === undefined || last < sequence) throw new FeedBehindError(sequence, last)
        for (const stored of log.filter(({ change }) => change.head.sequence > sequence)) {
          sequence = stored.change.head.sequence
          yield deliver(stored)
          if (signal.aborted) return
        }
        if (log.at(-1)!.change.head.sequence > sequence) continue
        // Throws when the signal aborts, which ends the loop.
        await once(changes, 'change', { signal }).catch(() => {})
      }
    },
  }
}

/** Why a change must not be stored after another one. */
export function refusalOf(
  { head }: FeedChange,
  last: Pick<FeedChange, 'head'> | undefined,
): Refusal | undefined {
  if (last && head.epoch < last.head.epoch) return 'lease'
  const isWhole = head.parent === undefined
  if (isWhole) return last && head.sequence <= last.head.sequence ? 'sequence' : undefined
  if (head.sequence !== (last?.head.sequence ?? 0) + 1) return 'sequence'
  return last && head.parent === last.head.block.hash ? undefined : 'parent'
}

function deliver(stored: Stored): Delivery
function deliver(stored: Stored | undefined): Delivery | undefined
function deliver(stored: Stored | undefined): Delivery | undefined {
  if (!stored) return undefined
  const { change, atMs } = stored
  return { ...change, ageMs: change.head.ageMs + performance.now() - atMs }
}
