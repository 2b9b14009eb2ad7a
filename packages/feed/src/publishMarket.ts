/**
 * The publisher of a market: publishes the difference to what is published, as long as it leads.
 * Input: each new market of a process that follows the chain. The difference is by record, so a
 * reorganisation needs nothing special: pools go back to the state that the new branch gives them.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex, Pool } from '@braid-swap/core'
import {
  type ChangeHead,
  type FeedChange,
  type FeedRecord,
  FORMAT,
  type MarketFeed,
} from './feed.js'
import { type Loaded, loadHashes } from './followFeed.js'
import type { Lease } from './lease.js'
import {
  isOutOfSequence,
  type Publication,
  type Published,
  readPublished,
} from './readPublished.js'
import {
  addHash,
  digestOf,
  hashRecord,
  isPoolKey,
  isSamePool,
  otherRecords,
  poolRecord,
} from './records.js'

/** Options of {@link createPublisher}. */
export type PublisherOptions = {
  readonly feed: MarketFeed
  /** Decides which process publishes. */
  readonly lease: Lease
  /** A market older than this leaves the lead to others. */
  readonly maxAgeMs: number
  readonly onError: (error: unknown) => void
  /** Time between two looks at whether what is published is still so; default 30 seconds. */
  readonly verifyMs?: number
  /** Called when this process begins or ceases to lead. */
  readonly onLead?: (epoch: number | undefined) => void
  readonly signal: AbortSignal
}

/** Publishes markets. */
export type Publisher = {
  /** Publishes this market soon; one that is not published yet is superseded. */
  readonly update: (market: Publication) => void
  /** The epoch in which this process leads, if it does. */
  readonly epoch: () => number | undefined
  /** Resolves when the newest market passed to `update` is published. */
  readonly flushed: () => Promise<void>
  /** Resolves when the signal has aborted and the lead is given up. */
  readonly ended: Promise<void>
}

/** Starts to publish; nothing happens before the first market. */
export function createPublisher(options: PublisherOptions): Publisher {
  const { feed, lease, maxAgeMs, onError, onLead, signal, verifyMs = 30_000 } = options
  let newest: { readonly market: Publication; readonly atMs: number } | undefined
  let published: Published | undefined
  // While another process leads, so that this one can take over without loading everything.
  let followed: Loaded | undefined
  let epoch: number | undefined
  let verifiedMs = 0
  let isRefused = false
  let wake = () => {}
  const waiters = new Set<() => void>()
  const lead = (next: number | undefined) => {
    if (next === epoch) return
    epoch = next
    published = undefined
    onLead?.(next)
  }
  const ageOf = ({ market, atMs }: NonNullable<typeof newest>) =>
    market.ageMs + performance.now() - atMs
  const round = async () => {
    const current = newest
    if (!current || ageOf(current) > maxAgeMs) {
      if (epoch !== undefined) await lease.release()
      return lead(undefined)
    }
    lead(await lease.take())
    if (epoch === undefined) {
      // A failure is retried soon; applying a change twice is harmless.
      followed = await loadHashes(feed, followed, signal).catch(() => followed)
      return
    }
    if (published && performance.now() - verifiedMs > verifyMs) published = undefined
    if (!published) verifiedMs = performance.now()
    published ??= await readPublished(feed, followed, { signal, isRefused })
    followed = undefined
    const next = await differenceTo(published, current.market)
    if (next) {
      const ageMs = ageOf(current)
      const change = changeOf(next, { epoch, ageMs, market: current.market })
      await feed.publish(change)
      isRefused = false
      published = { ...next.published, head: change.head }
    }
    if (newest !== current) return
    for (const done of waiters) done()
    waiters.clear()
  }
  const run = async () => {
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      const before = newest
      let hasFailed = false
      // A large market takes longer to publish than the lease lasts.
      const renewal = setInterval(() => {
        if (epoch !== undefined) lease.take().catch(() => {})
      }, lease.renewMs)
      try {
        await round()
      } catch (error) {
        // What is published is unknown until it is read again.
        published = undefined
        isRefused = isOutOfSequence(error)
        hasFailed = true
        onError(error)
        await sleep(RETRY_MS)
      } finally {
        clearInterval(renewal)
      }
      if (newest === before && !hasFailed && !signal.aborted) {
        const timer = new AbortController()
        await Promise.race([woken, pause(lease.renewMs, timer.signal)])
        timer.abort()
      }
    }
    if (epoch !== undefined) await lease.release().catch(onError)
    lead(undefined)
  }
  signal.addEventListener('abort', () => wake(), { once: true })
  return {
    update: (market) => {
      newest = { market, atMs: performance.now() }
      wake()
    },
    epoch: () => epoch,
    flushed: () => new Promise((resolve) => waiters.add(resolve)),
    ended: run(),
  }
}

const RETRY_MS = 100

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => {})
}

type Difference = {
  readonly published: Published
  readonly set: readonly FeedRecord[]
  readonly removed: readonly string[]
  readonly parent?: Hex
  readonly lastSequence: number
  readonly replacesAll: boolean
}

/** Records hashed between two turns of the event loop. */
const RECORDS_PER_TURN = 200

/** Records in one change at most; beyond, the whole market is published. */
const MAX_CHANGE = 5_000

/** Returns the change that brings the feed to this market; `undefined` if it has it. */
async function differenceTo(
  before: Published,
  market: Publication,
): Promise<Difference | undefined> {
  const { hashes, head, market: last } = before
  let { sum } = before
  const set: FeedRecord[] = []
  let count = 0
  const add = async (record: FeedRecord) => {
    const [key] = record
    const hash = hashRecord(record)
    if (hash !== hashes.get(key)) {
      sum = addHash(sum, hash, hashes.get(key))
      hashes.set(key, hash)
      set.push(record)
    }
    count += 1
    if (count % RECORDS_PER_TURN === 0) await new Promise(setImmediate)
  }
  for (const pool of changedPools(last, market)) await add(poolRecord(pool))
  const others = haveSameRest(last, market) ? undefined : [...otherRecords(market)]
  for (const record of others ?? []) await add(record)
  const removed = goneKeys(hashes, { last, market, others })
  for (const key of removed) {
    sum = addHash(sum, 0n, hashes.get(key))
    hashes.delete(key)
  }
  const { block } = market.snapshot
  const isSame = set.length + removed.length === 0 && head?.block.hash === block.hash
  if (isSame && head.status === market.status && head.digest === digestOf(sum)) return undefined
  const isWhole = !head || head.digest === '' || set.length + removed.length > MAX_CHANGE
  return {
    published: { hashes, sum, market },
    set: isWhole ? [...market.snapshot.pools.map(poolRecord), ...otherRecords(market)] : set,
    removed: isWhole ? [] : removed,
    ...(!isWhole && { parent: head.block.hash }),
    replacesAll: before.isForeign ?? false,
    lastSequence: head?.sequence ?? 0,
  }
}

/** The pools whose record may differ from the one published last. */
function changedPools(last: Publication | undefined, { snapshot }: Publication): readonly Pool[] {
  if (!last) return snapshot.pools
  const before = last.snapshot.pools
  const known = haveSamePlaces(last, { snapshot })
    ? undefined
    : new Map(before.map((pool) => [pool.id, pool]))
  return snapshot.pools.filter((pool, i) => {
    const earlier = known ? known.get(pool.id) : before[i]
    return !earlier || !isSamePool(earlier, pool)
  })
}

/** The keys that are published and no longer in the market. */
function goneKeys(
  hashes: ReadonlyMap<string, bigint>,
  of: {
    readonly last: Publication | undefined
    readonly market: Publication
    /** The records besides pools, if they may have changed. */
    readonly others: readonly FeedRecord[] | undefined
  },
): readonly string[] {
  const { last, market, others } = of
  if (last && haveSamePlaces(last, market) && !others) return []
  const kept = new Set<string>(market.snapshot.pools.map(({ id }) => id))
  for (const [key] of others ?? []) kept.add(key)
  return [...hashes.keys()].filter((key) => (others || isPoolKey(key)) && !kept.has(key))
}

/** Returns true if two markets have the same pools in the same places. */
function haveSamePlaces(
  { snapshot: { pools: before } }: Pick<Publication, 'snapshot'>,
  { snapshot: { pools } }: Pick<Publication, 'snapshot'>,
): boolean {
  return before.length === pools.length && pools.every(({ id }, i) => before[i]!.id === id)
}

function haveSameRest(last: Publication | undefined, market: Publication): boolean {
  return last?.snapshot.tokens === market.snapshot.tokens && last.flawed === market.flawed
}

function changeOf(
  { set, removed, parent, published, lastSequence, replacesAll }: Difference,
  { epoch, ageMs, market }: { epoch: number; ageMs: number; market: Publication },
): FeedChange {
  const { chainId, wrappedNative, block } = market.snapshot
  // A whole market may jump ahead: epochs grow faster than sequences, so one that begins after all
  // was lost has a sequence that no reader knows.
  const sequence = parent === undefined ? Math.max(lastSequence + 1, epoch) : lastSequence + 1
  const head: ChangeHead = {
    ...{ format: FORMAT, sequence, epoch, chainId, wrappedNative, block, ageMs },
    ...(parent !== undefined && { parent }),
    digest: digestOf(published.sum),
    status: market.status,
  }
  return { head, set, removed, replacesAll }
}
