/**
 * `pnpm bench feed`: what it costs to carry a market to other processes. For generated markets of
 * several sizes: the time to publish and to load a whole market, the bytes and commands of a block,
 * and the time from a market at the publisher to a graph at the reader, in memory and through the
 * Redis that BRAID_REDIS_URL names, whose database is emptied.
 */
import { advance, buildGraph, type Graph, prepare, type Snapshot, toHex } from '@braid-swap/core'
import {
  createMemoryFeed,
  createPublisher,
  createRedisFeed,
  createRedisLease,
  followFeed,
  type Lease,
  type MarketFeed,
  type RedisFeed,
  soleLease,
} from '@braid-swap/feed'
import { generateBlockDiff } from '../markets/blockDiff.js'
import { generateSnapshot } from '../markets/generated.js'
import { percentile } from '../stats.js'

const SIZES = [1_350, 10_000, 50_000]
/** Pools that a busy block moves. */
const MOVED = 40
const CHAIN_ID = 999

/** One line of the result. */
type Row = Readonly<Record<string, string | number>>

/** Measures all sizes and prints a table. */
export async function runFeed({ isQuick }: { readonly isQuick: boolean }): Promise<void> {
  const url = process.env['BRAID_REDIS_URL']
  if (url === undefined) throw new RangeError('set BRAID_REDIS_URL to a Redis that may be emptied')
  const rows: Row[] = []
  for (const size of isQuick ? SIZES.slice(0, 1) : SIZES) {
    const blocks = chainOf(generateSnapshot(size, 1), isQuick ? 10 : 50)
    const memory = await measure(createMemoryFeed(), { lease: soleLease(), blocks })
    const { feed, reader, lease, close } = await openRedis(url)
    const redis = await measure(feed, { lease, blocks, reader })
    const used = `${await feed.redis.send(['INFO', 'memory'])}`.match(/used_memory:(\d+)/)?.[1]
    const stream = Number(await feed.redis.send(['MEMORY', 'USAGE', 'braid:{999}:changes']))
    rows.push({
      pools: size,
      'in process p50 ms': memory.p50Ms,
      'in process p99 ms': memory.p99Ms,
      'Redis p50 ms': redis.p50Ms,
      'Redis p99 ms': redis.p99Ms,
      'publish whole ms': redis.publishMs,
      'load ms': redis.loadMs,
      'published bytes/block': redis.published.bytesOut,
      'published commands/block': redis.published.commands,
      'read bytes/block': redis.read.bytesIn,
      'read commands/block': redis.read.commands,
      'Redis MB': round(Number(used) / 2 ** 20),
      'stream kB/block': round(stream / 1_024 / blocks.length),
      'resident MB': round(process.memoryUsage.rss() / 2 ** 20),
    })
    close()
  }
  console.table(rows)
}

async function openRedis(url: string) {
  const reader = createRedisFeed({ url, chainId: CHAIN_ID })
  await reader.redis.send(['FLUSHDB'])
  const lease = createRedisLease(reader.redis, { chainId: CHAIN_ID })
  const feed = createRedisFeed({ url, chainId: CHAIN_ID, holder: lease.holder })
  const close = () => {
    feed.close()
    reader.close()
  }
  return { feed, reader, lease, close }
}

/** A market and the blocks after it, in each of which some pools move. */
function chainOf(start: Snapshot, count: number): readonly Snapshot[] {
  const blocks = [start]
  for (let n = 1; n < count; n++) {
    const before = blocks.at(-1)!
    const { number, timestamp } = before.block
    const block = {
      ...before.block,
      ...{ number: number + 1n, timestamp: timestamp + 1n, hash: toHex(number + 1n, 32) },
    }
    blocks.push(advance(before, { block, pools: generateBlockDiff(before, MOVED, n) }))
  }
  return blocks
}

const NO_TRAFFIC = { commands: 0, bytesIn: 0, bytesOut: 0 }

/** A feed that may count what passes through it. */
type CountedFeed = MarketFeed & Partial<Pick<RedisFeed, 'traffic'>>

/** Publishes blocks one after the other and times each until the reader can quote from it. */
async function measure(
  feed: CountedFeed,
  of: {
    readonly lease: Lease
    readonly blocks: readonly Snapshot[]
    readonly reader?: CountedFeed
  },
) {
  const { lease, blocks, reader = feed } = of
  const stop = new AbortController()
  const { signal } = stop
  const onError = (error: unknown) => console.error(error)
  const publisher = createPublisher({ feed, lease, maxAgeMs: 3_600_000, onError, signal })
  const flawed: readonly never[] = []
  const publish = async (snapshot: Snapshot) => {
    const done = publisher.flushed()
    publisher.update({ snapshot, flawed, status: '{}', ageMs: 0 })
    await done
  }
  const publishedMs = performance.now()
  await publish(blocks[0]!)
  const loadedFromMs = performance.now()
  let graph: Graph | undefined
  let arrived = (_: Graph) => {}
  const next = () =>
    new Promise<Graph>((resolve) => {
      arrived = resolve
    })
  const first = next()
  const reading = followFeed(reader, {
    onMarket: ({ snapshot }) => {
      graph = prepare(buildGraph(snapshot, graph), graph)
      arrived(graph)
    },
    ...{ onError, signal },
  })
  await first
  const loadMs = performance.now() - loadedFromMs
  const traffic = () => [feed, reader].map((one) => one.traffic?.() ?? NO_TRAFFIC)
  const before = traffic()
  const times: number[] = []
  for (const snapshot of blocks.slice(1)) {
    const arrival = next()
    const startMs = performance.now()
    publisher.update({ snapshot, flawed, status: '{}', ageMs: 0 })
    await arrival
    times.push(performance.now() - startMs)
  }
  const after = traffic()
  stop.abort()
  await Promise.all([publisher.ended, reading])
  const perBlock = (end: number) => {
    const of = (name: keyof typeof NO_TRAFFIC) =>
      round((after[end]![name] - before[end]![name]) / times.length)
    return { bytesIn: of('bytesIn'), bytesOut: of('bytesOut'), commands: of('commands') }
  }
  return {
    publishMs: round(loadedFromMs - publishedMs),
    loadMs: round(loadMs),
    p50Ms: round(percentile(times, 0.5)),
    p99Ms: round(percentile(times, 0.99)),
    published: perBlock(0),
    read: perBlock(1),
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
