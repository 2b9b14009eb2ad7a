/**
 * Many who follow streams of quotes while blocks come. Each event is compared with our own quote of the
 * same request at the same block, so an event that is missed, repeated, mixed or wrong is counted. They
 * open some at a time and wait as long as a refusal says, as the interface asks of clients.
 */
import { get, type IncomingMessage } from 'node:http'
import { createHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { buildGraph, type Graph, type Pool, quote, type Snapshot } from '@braid-swap/core'
import { frozenSnapshot, UBTC, USDC, WHYPE } from './frozenMarket.js'
import { startTestApi } from './startTestApi.js'

/** Size and duration of the crowd. */
export type CrowdOptions = {
  readonly followers: number
  readonly requests: number
  readonly blocks: number
  readonly blockMs: number
  /** A node for nothing: the frozen market answers. */
  readonly rpcUrl: string
}

/** Result of a run. */
export type CrowdReport = {
  readonly events: number
  readonly expected: number
  /** Events that are not the next one of their stream, and streams that end early; at most 5. */
  readonly wrong: readonly string[]
  /** Openings that were refused with a time to wait, and repeated after it. */
  readonly refused: number
  /** After each tenth of the time: events until then, and bytes of the heap after a collection. */
  readonly tenths: readonly {
    readonly events: number
    readonly expected: number
    readonly heap: number
    readonly rss: number
  }[]
  /** Whole milliseconds from a block to each event of it that a follower has read. */
  readonly delayMs: { readonly p50: number; readonly p99: number; readonly max: number }
}

type Expected = { readonly block: bigint; readonly amount: bigint }

const E18 = 10n ** 18n
const RECEIVED_AT_MS = 1_790_000_000_500
const PATIENCE_MS = 20_000
const BLOCKS_IN_FLIGHT = 4
const OPENING_AT_ONCE = 40
const MAX_ATTEMPTS = 30

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
  let events = 0
  const delays = createHistogram()
  const sentMs: number[] = []
  const firstBlock = graph.snapshot.block.number
  const open = orders.map(({ tokenOut, amountIn }) => {
    const query = `src=${WHYPE}&dst=${tokenOut}&amount=${amountIn}`
    return `${api.url}/swap/v1/999/quote/stream?${query}`
  })
  const seen = new Int32Array(followers)
  const onEvent = (follower: number, event: Readonly<Record<string, string>>) => {
    const next = expected[follower % requests]![seen[follower]!++]
    events += 1
    // The first event of a stream answers its opening, not a block.
    const sentAtMs = sentMs[Number(BigInt(event['blockNumber'] ?? firstBlock) - firstBlock) - 1]
    if (sentAtMs !== undefined) delays.record(Math.max(1, Math.round(performance.now() - sentAtMs)))
    const isNext =
      `${next?.block}` === event['blockNumber'] && `${next?.amount}` === event['dstAmount']
    if (!isNext && wrong.length < 5) wrong.push(`follower ${follower}: ${JSON.stringify(event)}`)
  }
  const onEnd = (follower: number) => {
    if (wrong.length < 5) wrong.push(`the stream of follower ${follower} ended`)
  }
  const { closers, refused } = await openAll(followers, (n) =>
    follow(open[n % requests]!, {
      ...{ apikey: api.key, onEvent: (event) => onEvent(n, event), onEnd: () => onEnd(n) },
    }),
  )
  const wanted = () => seen.reduce((sum, _, n) => sum + expected[n % requests]!.length, 0)
  const settled = async () => {
    for (let ms = 0; events < wanted() && ms < PATIENCE_MS; ms += 5) await sleep(5)
  }
  await settled()
  const tenths: CrowdReport['tenths'][number][] = []
  for (let n = 1; n <= blocks; n++) {
    const startMs = performance.now()
    graph = buildGraph(movedSnapshot(graph.snapshot, n), graph)
    note(graph)
    sentMs.push(performance.now())
    api.setState({ graph, receivedAtMs: RECEIVED_AT_MS })
    await sleep(Math.max(0, blockMs - (performance.now() - startMs)))
    // A slow machine must not fall so far behind that states are skipped.
    if (n % BLOCKS_IN_FLIGHT === 0) await settled()
    if (n % Math.max(1, Math.floor(blocks / 10)) === 0) {
      tenths.push({ events, expected: wanted(), ...(await memoryAfterCollection()) })
    }
  }
  await settled()
  for (const close of closers) close()
  await api.stop()
  const [p50, p99, { max }] = [delays.percentile(50), delays.percentile(99), delays]
  return { events, expected: wanted(), wrong, refused, tenths, delayMs: { p50, p99, max } }
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

/** Events of a follower, and the key with which it asks. */
type Following = {
  readonly apikey: string
  readonly onEvent: (event: Readonly<Record<string, string>>) => void
  /** The stream ended, and not by the function that closes it. */
  readonly onEnd: () => void
}
/** A stream that is open, or the seconds after which a refused one may be asked for again. */
type Opened = { readonly close: () => void } | { readonly retryAfter: number }

/**
 * Opens all streams, some at a time. Returns what closes each, and how often one was refused for a
 * time. Throws if one is refused {@link MAX_ATTEMPTS} times.
 */
async function openAll(count: number, follow: (n: number) => Promise<Opened>) {
  const closers: (() => void)[] = []
  let [next, refused] = [0, 0]
  const openOne = async (n: number) => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const opened = await follow(n)
      if ('close' in opened) return void closers.push(opened.close)
      refused += 1
      await sleep(opened.retryAfter * 1_000)
    }
    throw new Error(`stream ${n} was refused ${MAX_ATTEMPTS} times`)
  }
  const lane = async () => {
    while (next < count) await openOne(next++)
  }
  await Promise.all(Array.from({ length: OPENING_AT_ONCE }, lane))
  return { closers, refused }
}

/** Follows a stream. Throws if the answer is neither a stream nor a refusal for a time. */
async function follow(url: string, { apikey, onEvent, onEnd }: Following): Promise<Opened> {
  const request = get(url, { headers: { apikey }, agent: false })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject)
  })
  request.on('error', () => {})
  response.on('error', () => {})
  const { statusCode, headers } = response
  if (statusCode !== 200) {
    response.resume()
    const retryAfter = Number(headers['retry-after'] ?? Number.NaN)
    const mayRetry = statusCode === 503 || statusCode === 429
    if (mayRetry && Number.isFinite(retryAfter)) return { retryAfter }
    throw new Error(`a stream was answered ${statusCode}`)
  }
  let text = ''
  let isClosing = false
  response.setEncoding('utf8')
  response.once('close', () => isClosing || onEnd())
  response.on('data', (chunk: string) => {
    const parts = (text + chunk).split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const data = /^event: (\w+)\ndata: (.*)$/m.exec(part)
      if (data) onEvent(data[1] === 'quote' ? JSON.parse(data[2]!) : { event: part })
    }
  })
  const close = () => {
    isClosing = true
    request.destroy()
  }
  return { close }
}

async function memoryAfterCollection(): Promise<{ readonly heap: number; readonly rss: number }> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  await sleep(1)
  const { heapUsed: heap, rss } = process.memoryUsage()
  return { heap, rss }
}
