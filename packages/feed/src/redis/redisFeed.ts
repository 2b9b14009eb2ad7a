/**
 * A feed in Redis: records in a hash, changes in a stream whose ids are their sequences. Publishing is
 * one script that refuses a deposed leader. Ages are measured by the clock of Redis on both ends, and are never
 * underestimated: what waits for Redis grows old.
 */
import {
  type Delivery,
  FeedBehindError,
  type FeedChange,
  type FeedRecord,
  type MarketFeed,
  PublishRefusedError,
  type Refusal,
  type StoredRecord,
} from '../feed.js'
import { KEPT_CHANGES } from '../memoryFeed.js'
import { decodeHead, encodeHead } from '../wire.js'
import { connectRedis, type Redis } from './connection.js'
import { keyOf } from './keys.js'
import { PUBLISH } from './scripts.js'

/** Options of {@link createRedisFeed}. */
export type RedisFeedOptions = {
  readonly url: string
  readonly chainId: number
  /** Keeps the market apart from those of other deployments: see `deploymentOf`. */
  readonly deployment?: string
  /** The holder of the lease; without it nothing can be published. */
  readonly holder?: string
}

/** A feed with its own connections. */
export type RedisFeed = MarketFeed & {
  readonly redis: Redis
  /** Commands that were answered on both connections. */
  readonly commands: () => number
  readonly close: () => void
}

/** Time that one read waits for a change. */
const WAIT_MS = 1_000
/** Time beyond the wait until the connection counts as lost. */
const PATIENCE_MS = 1_000
/** Fields asked for in one step of a scan. */
const SCAN_COUNT = 500
/** Characters of records in one command that stages a whole market. */
const STAGE_SIZE = 1_000_000
/** Time after which records staged by a process that died are dropped. */
const STAGED_MS = 60_000
/** Time after which a market that nobody publishes any more is dropped: a week. */
const KEPT_MS = 604_800_000
/** Time to read or write a part of a market, which may have megabytes. */
const PART_MS = 10_000

/** Opens the feed of a chain. */
export function createRedisFeed(options: RedisFeedOptions): RedisFeed {
  const { url, chainId, deployment = 'market', holder = '' } = options
  const redis = connectRedis(url)
  // A read that waits holds its connection.
  const waiting = connectRedis(url)
  const [lease, pools, changes] = ['lease', 'pools', 'changes'].map((name) =>
    keyOf(chainId, `${deployment}:${name}`),
  ) as [string, string, string]
  const staged = keyOf(chainId, `${deployment}:pools:${holder}`)
  const clock = createClock(redis)
  const publish = async (change: FeedChange) => {
    const calledMs = performance.now()
    const { head, set, removed } = change
    const atMs = calledMs + (await clock.offsets()).least
    const isWhole = head.parent === undefined
    if (isWhole) await stage(redis, staged, change)
    const records = isWhole ? [] : [...set, ...removed.map((key): FeedRecord => [key, ''])]
    const refusal = await redis.run(
      PUBLISH,
      [lease, pools, changes, staged],
      [
        ...[holder, `${head.epoch}`, `${head.sequence}`, head.parent ?? '', head.block.hash],
        ...[encodeHead(head), `${KEPT_CHANGES}`, change.replacesAll ? '1' : '0', `${KEPT_MS}`],
        `${atMs}`,
        ...records.flat(),
      ],
    )
    if (refusal !== 'ok') throw new PublishRefusedError(refusal as Refusal, change)
  }
  const last = async () => {
    const entries = await redis.send(['XREVRANGE', changes, '+', '-', 'COUNT', '1'])
    const [entry] = entries as readonly Entry[]
    return entry && deliver(entry, await clock.offsets())
  }
  return {
    redis,
    publish,
    last,
    records: () => scan(redis, pools),
    others: createOthers(redis, chainId, deployment),
    follow: async function* (after, signal) {
      let sequence = after
      signal.addEventListener('abort', waiting.interrupt, { once: true })
      try {
        while (!signal.aborted) {
          const words = ['XREAD', 'COUNT', '64', 'BLOCK', `${WAIT_MS}`, 'STREAMS', changes]
          const reply = await waiting.send([...words, `${sequence}-0`], WAIT_MS + PATIENCE_MS)
          const entries = (reply as readonly [readonly [string, readonly Entry[]]] | null)?.[0][1]
          if (!entries) await checkEnd(redis, changes, sequence)
          for (const entry of entries ?? []) {
            if (signal.aborted) return
            const delivery = deliver(entry, await clock.offsets())
            sequence = sequenceOf(entry)
            yield delivery
          }
        }
      } finally {
        signal.removeEventListener('abort', waiting.interrupt)
      }
    },
    commands: () => redis.commands() + waiting.commands(),
    close: () => {
      redis.close()
      waiting.close()
    },
  }
}

/** Time for which the markets of others are known: a look reads the names of all keys. */
const OTHERS_MS = 5_000

/** The markets of other deployments on this Redis. */
function createOthers(redis: Redis, chainId: number, own: string) {
  let found: readonly string[] = []
  let dueMs = 0
  return async () => {
    if (performance.now() < dueMs) return found
    dueMs = performance.now() + OTHERS_MS
    found = (await findMarkets(redis, chainId)).filter((name) => name !== own)
    return found
  }
}

async function findMarkets(redis: Redis, chainId: number): Promise<readonly string[]> {
  const found: string[] = []
  const [head = '', tail = ''] = keyOf(chainId, '*:lease').split('*')
  let cursor = '0'
  do {
    const words = ['SCAN', cursor, 'MATCH', keyOf(chainId, '*:lease'), 'COUNT', '1000']
    const [next, keys] = (await redis.send(words)) as readonly [string, readonly string[]]
    for (const key of keys) found.push(key.slice(head.length, -tail.length))
    cursor = next
  } while (cursor !== '0')
  return found.sort()
}

type Entry = readonly [id: string, fields: readonly string[]]

function sequenceOf([id]: Entry): number {
  return Number(id.split('-')[0])
}

function deliver([, fields]: Entry, { most }: Offsets): Delivery {
  const [, , , at, , headText, , lines = ''] = fields
  const head = decodeHead(headText!)
  const set: FeedRecord[] = []
  const removed: string[] = []
  for (const line of lines === '' ? [] : lines.split('\n')) {
    const tab = line.indexOf('\t')
    const [key, text] = [line.slice(0, tab), line.slice(tab + 1)]
    if (text === '') removed.push(key)
    else set.push([key, text])
  }
  const waitedMs = performance.now() + most - Number(at)
  return { head, set, removed, ageMs: head.ageMs + Math.max(0, waitedMs) }
}

async function checkEnd(redis: Redis, changes: string, sequence: number): Promise<void> {
  const entries = await redis.send(['XREVRANGE', changes, '+', '-', 'COUNT', '1'])
  const [entry] = entries as readonly Entry[]
  const end = entry && sequenceOf(entry)
  if (end === undefined || end < sequence) throw new FeedBehindError(sequence, end)
}

async function* scan(redis: Redis, pools: string): AsyncGenerator<readonly StoredRecord[]> {
  let cursor = '0'
  do {
    const reply = await redis.send(['HSCAN', pools, cursor, 'COUNT', `${SCAN_COUNT}`], PART_MS)
    const [next, flat] = reply as readonly [string, readonly string[]]
    const batch: StoredRecord[] = []
    for (let i = 0; i < flat.length; i += 2) {
      const space = flat[i + 1]!.indexOf(' ')
      const [sequence, text] = [flat[i + 1]!.slice(0, space), flat[i + 1]!.slice(space + 1)]
      batch.push([flat[i]!, text, Number(sequence)])
    }
    yield batch
    cursor = next
  } while (cursor !== '0')
}

/** Writes a whole market beside the published one, which the script then replaces. */
async function stage(redis: Redis, key: string, { head, set }: FeedChange): Promise<void> {
  await redis.send(['DEL', key])
  let words: string[] = []
  let size = 0
  const flush = async () => {
    if (words.length > 0) await redis.send(['HSET', key, ...words], PART_MS)
    await redis.send(['PEXPIRE', key, `${STAGED_MS}`])
    words = []
    size = 0
  }
  for (const [name, text] of set) {
    words.push(name, `${head.sequence} ${text}`)
    size += text.length
    if (size > STAGE_SIZE) await flush()
  }
  await flush()
}

/** Time between two comparisons with the clock of Redis. */
const COMPARE_MS = 5_000

/** What the clock of Redis is ahead of this process's own, in milliseconds: at least and at most. */
type Offsets = { readonly least: number; readonly most: number }

/**
 * The clock of Redis, from a comparison every few seconds. Redis gave its answer after it was asked for and before it
 * was there, so the two offsets are apart by the time to Redis and back.
 */
function createClock(redis: Redis): { readonly offsets: () => Promise<Offsets> } {
  let offsets: Offsets | undefined
  let comparedMs = 0
  const compare = async () => {
    const askedMs = performance.now()
    const [seconds, micros] = (await redis.send(['TIME'])) as readonly [string, string]
    const redisMs = Number(seconds) * 1_000 + Number(micros) / 1_000
    offsets = { least: redisMs - performance.now(), most: redisMs - askedMs }
    comparedMs = askedMs
    return offsets
  }
  return {
    offsets: async () => {
      const isOld = performance.now() - comparedMs > COMPARE_MS
      return offsets === undefined || isOld ? compare() : offsets
    },
  }
}
