/** Times the way from a block to the first certified quote, within a process and through Redis. */
import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Graph, Order, Snapshot } from '@braid-swap/core'
import { createPublisher, createRedisFeed, createRedisLease } from '@braid-swap/feed'
import { percentile } from '../stats.js'
import { busiestOrder, machineMs, quoteNext } from './path.js'
import type { ReaderSays } from './readerProcess.js'

const CHAIN_ID = 999
/** Processes that read. */
export const READERS = 2
/** Rest between two blocks, in which garbage is collected and Redis writes. */
const REST_MS = 100
/** A reader begins to load when it says nothing; it must not take longer. */
const LONGEST_MS = 60_000

/** The figures of one size. Times in milliseconds. */
export type FeedFigures = {
  readonly pools: number
  readonly inProcess: Spread
  /** The slowest reader of each block. */
  readonly throughRedis: Spread
  /** How much later the p99 is through Redis. */
  readonly addedP99Ms: number
  readonly publishWholeMs: number
  /** The slowest reader: load, graph and the first quote. */
  readonly takeUpMs: number
  readonly published: { readonly bytes: number; readonly commands: number }
  readonly read: { readonly bytes: number; readonly commands: number }
  readonly redisMb: number
  readonly streamKbPerBlock: number
  /** Of one reader, the largest. */
  readonly readerMb: number
}

type Spread = { readonly p50Ms: number; readonly p99Ms: number }

/** Measures one market: the first snapshot whole, then block after block. */
export async function measureFeed(url: string, blocks: readonly Snapshot[]): Promise<FeedFigures> {
  const order = busiestOrder(blocks[0]!)
  const inProcess = await measureInProcess(blocks, order)
  const through = await measureThroughRedis(url, { blocks, order })
  const spreadOf = (times: readonly number[]): Spread => ({
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
  })
  const [alone, shared] = [spreadOf(settled(inProcess)), spreadOf(settled(through.times))]
  const { times: _, ...rest } = through
  return {
    ...{ pools: blocks[0]!.pools.length, inProcess: alone, throughRedis: shared },
    ...{ addedP99Ms: shared.p99Ms - alone.p99Ms, ...rest },
  }
}

/** The times without the first tenth, in which each process compiles what it runs. */
function settled(times: readonly number[]): readonly number[] {
  return times.slice(Math.ceil(times.length / 10))
}

/** What a process does that follows the chain and answers itself. */
async function measureInProcess([first, ...rest]: readonly Snapshot[], order: Order) {
  let graph: Graph = quoteNext(first!, order, undefined)
  const times: number[] = []
  for (const snapshot of rest) {
    await sleep(REST_MS)
    const startMs = machineMs()
    graph = quoteNext(snapshot, order, graph)
    times.push(machineMs() - startMs)
  }
  return times
}

async function measureThroughRedis(
  url: string,
  { blocks, order }: { readonly blocks: readonly Snapshot[]; readonly order: Order },
) {
  const { feed, lease, close } = await openFeed(url)
  const ending = new AbortController()
  const publisher = createPublisher({
    ...{ feed, lease, maxAgeMs: 3_600_000, signal: ending.signal },
    onError: (error) => console.error(error),
  })
  const publish = async (snapshot: Snapshot) => {
    const done = publisher.flushed()
    publisher.update({ snapshot, flawed: NO_FLAWS, status: '{}', ageMs: 0 })
    await done
  }
  const wholeFromMs = machineMs()
  await publish(blocks[0]!)
  const publishWholeMs = machineMs() - wholeFromMs
  const readers = Array.from({ length: READERS }, () => startReader(url, order))
  const loaded = await Promise.all(readers.map(({ saysOf }) => saysOf(blocks[0]!)))
  const before = feed.traffic()
  const times: number[] = []
  let last = loaded
  for (const snapshot of blocks.slice(1)) {
    await sleep(REST_MS)
    const said = readers.map(({ saysOf }) => saysOf(snapshot))
    const startMs = machineMs()
    publisher.update({ snapshot, flawed: NO_FLAWS, status: '{}', ageMs: 0 })
    last = await Promise.all(said)
    times.push(Math.max(...last.map(({ atMs }) => atMs)) - startMs)
  }
  const after = feed.traffic()
  const size = await sizeOf(feed)
  for (const { child } of readers) child.disconnect()
  ending.abort()
  await publisher.ended
  close()
  const perBlock = (end: number, start: number) => (end - start) / times.length
  return {
    ...{ times, publishWholeMs, redisMb: size.redisMb },
    streamKbPerBlock: size.streamBytes / 1_024 / blocks.length,
    takeUpMs: Math.max(...loaded.map(({ loadMs = LONGEST_MS }) => loadMs)),
    published: {
      bytes: perBlock(after.bytesOut, before.bytesOut),
      commands: perBlock(after.commands, before.commands),
    },
    read: {
      bytes: perBlock(last[0]!.traffic.bytesIn, loaded[0]!.traffic.bytesIn),
      commands: perBlock(last[0]!.traffic.commands, loaded[0]!.traffic.commands),
    },
    readerMb: Math.max(...last.map(({ residentMb }) => residentMb)),
  }
}

const NO_FLAWS: readonly never[] = []

async function openFeed(url: string) {
  const first = createRedisFeed({ url, chainId: CHAIN_ID })
  await first.redis.send(['FLUSHDB'])
  const lease = createRedisLease(first.redis, { chainId: CHAIN_ID })
  const feed = createRedisFeed({ url, chainId: CHAIN_ID, holder: lease.holder })
  const close = () => {
    for (const one of [first, feed]) one.close()
  }
  return { feed, lease, close }
}

async function sizeOf({ redis }: Awaited<ReturnType<typeof openFeed>>['feed']) {
  const used = `${await redis.send(['INFO', 'memory'])}`.match(/used_memory:(\d+)/)?.[1]
  const streamBytes = Number(await redis.send(['MEMORY', 'USAGE', 'braid:{999}:changes']))
  return { redisMb: Number(used) / 2 ** 20, streamBytes }
}

/** A reader, and what it says of a block; only of one at a time. */
function startReader(url: string, order: Order) {
  const words = [url, `${CHAIN_ID}`, order.tokenIn, order.tokenOut, `${order.amountIn}`]
  const child: ChildProcess = fork(
    fileURLToPath(new URL('readerProcess.js', import.meta.url)),
    words,
  )
  const saysOf = ({ block }: Snapshot) =>
    new Promise<ReaderSays>((resolve, reject) => {
      const end = (code: number | null) => reject(new Error(`a reader ended with ${code}`))
      const receive = (said: ReaderSays) => {
        if (said.block !== `${block.number}`) return
        child.off('message', receive).off('exit', end)
        resolve(said)
      }
      child.on('message', receive).once('exit', end)
    })
  return { child, saysOf }
}
