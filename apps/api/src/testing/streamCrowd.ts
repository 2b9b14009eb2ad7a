/**
 * Many who follow streams of quotes while blocks come. Each event is compared with our own quote of the
 * same request at the same block, so an event that is missed, repeated, mixed or wrong is counted.
 */
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { buildGraph, type Graph, type Pool, quote, type Snapshot } from '@braid-swap/core'
import { frozenSnapshot, UBTC, USDC, WHYPE } from './frozenMarket.js'
import { startTestApi } from './startTestApi.js'

/** How many follow how many different requests, for how long. */
export type CrowdOptions = {
  readonly followers: number
  readonly requests: number
  readonly blocks: number
  readonly blockMs: number
  /** A node for nothing: the frozen market answers. */
  readonly rpcUrl: string
}

/** What came of it. */
export type CrowdReport = {
  readonly events: number
  readonly expected: number
  /** Events that are not the next one of their stream, as sentences; at most 5. */
  readonly wrong: readonly string[]
  /** Bytes of the heap after a collection, each tenth of the time. */
  readonly heaps: readonly number[]
  /** Milliseconds from a block to the last event of it, by block; only of blocks that changed answers. */
  readonly delaysMs: readonly number[]
}

type Expected = { readonly block: bigint; readonly amount: bigint }

const E18 = 10n ** 18n
const RECEIVED_AT_MS = 1_790_000_000_500
const PATIENCE_MS = 20_000
const BLOCKS_IN_FLIGHT = 4

/** Runs a crowd against an API of this process. */
export async function runStreamCrowd(options: CrowdOptions): Promise<CrowdReport> {
  const { followers, requests, blocks, blockMs, rpcUrl } = options
  const orders = Array.from({ length: requests }, (_, n) => ({
    tokenIn: WHYPE,
    tokenOut: n % 2 === 0 ? USDC : UBTC,
    amountIn: BigInt(n + 1) * E18,
  }))
  const expected: Expected[][] = orders.map(() => [])
  const note = (graph: Graph) => {
    for (const [n, order] of orders.entries()) {
      const { amountOut: amount } = quote(graph, order)
      const isSame = expected[n]!.at(-1)?.amount === amount
      if (!isSame) expected[n]!.push({ block: graph.snapshot.block.number, amount })
    }
  }
  let graph = buildGraph(frozenSnapshot)
  note(graph)
  const streams = { perKey: followers, total: followers, lastMs: 3_600_000 }
  const api = await startTestApi({ graph, rpcUrl, config: { streams } })
  const wrong: string[] = []
  let [events, lastEventMs] = [0, 0]
  const open = orders.map(({ tokenOut, amountIn }) => {
    const query = `src=${WHYPE}&dst=${tokenOut}&amount=${amountIn}`
    return `${api.url}/swap/v1/999/quote/stream?${query}`
  })
  const seen = new Int32Array(followers)
  const onEvent = (follower: number, event: Readonly<Record<string, string>>) => {
    const next = expected[follower % requests]![seen[follower]!++]
    events += 1
    lastEventMs = performance.now()
    const isNext =
      `${next?.block}` === event['blockNumber'] && `${next?.amount}` === event['dstAmount']
    if (!isNext && wrong.length < 5) wrong.push(`follower ${follower}: ${JSON.stringify(event)}`)
  }
  const closers = Array.from({ length: followers }, (_, n) =>
    follow(open[n % requests]!, api.key, (event) => onEvent(n, event)),
  )
  const wanted = () => seen.reduce((sum, _, n) => sum + expected[n % requests]!.length, 0)
  const settled = async () => {
    for (let ms = 0; events < wanted() && ms < PATIENCE_MS; ms += 5) await sleep(5)
  }
  await settled()
  const heaps: number[] = []
  const delaysMs: number[] = []
  for (let n = 1; n <= blocks; n++) {
    const startMs = performance.now()
    graph = buildGraph(movedSnapshot(graph.snapshot, n), graph)
    const before = wanted()
    note(graph)
    const sentMs = performance.now()
    api.setState({ graph, receivedAtMs: RECEIVED_AT_MS })
    await sleep(Math.max(0, blockMs - (performance.now() - startMs)))
    if (events === wanted() && events > before) delaysMs.push(lastEventMs - sentMs)
    // A slow machine must not fall so far behind that states are skipped.
    if (n % BLOCKS_IN_FLIGHT === 0) await settled()
    if (n % Math.max(1, Math.floor(blocks / 10)) === 0) heaps.push(await heapAfterCollection())
  }
  await settled()
  for (const close of closers) close()
  await api.stop()
  return { events, expected: wanted(), wrong, heaps, delaysMs }
}

/** The next block: of three, one moves a pool of WHYPE and USDC, one moves one of UBTC, one nothing. */
function movedSnapshot(before: Snapshot, n: number): Snapshot {
  const { number, timestamp } = before.block
  const hash = `0x${(number + 1n).toString(16).padStart(64, '0')}` as const
  const block = { ...before.block, number: number + 1n, timestamp: timestamp + 1n, hash }
  const index = [1, 4][n % 3]
  const sign = n % 2 === 0 ? 1n : -1n
  const pools = before.pools.map((pool, i): Pool => {
    if (i !== index || pool.family !== 'uniswapV2') return pool
    const [a, b] = pool.reserves
    return { ...pool, reserves: [a + (sign * a) / 500n, b - (sign * b) / 500n] }
  })
  return { ...before, block, pools }
}

/** Follows a stream. Every event `quote` is given, parsed; the returned function ends it. */
function follow(
  url: string,
  apikey: string,
  onEvent: (event: Readonly<Record<string, string>>) => void,
): () => void {
  let text = ''
  const request = get(url, { headers: { apikey }, agent: false }, (response) => {
    response.setEncoding('utf8')
    response.on('error', () => {})
    response.on('data', (chunk: string) => {
      const parts = (text + chunk).split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const data = /^event: (\w+)\ndata: (.*)$/m.exec(part)
        if (data) onEvent(data[1] === 'quote' ? JSON.parse(data[2]!) : { event: part })
      }
    })
  })
  request.on('error', () => {})
  return () => request.destroy()
}

async function heapAfterCollection(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  await sleep(1)
  return process.memoryUsage().heapUsed
}
