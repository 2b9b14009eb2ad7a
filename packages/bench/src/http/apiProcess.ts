/**
 * The API in a process of its own, as `startApi` runs it for operators, on the recorded market. The
 * market comes through a feed in this process, so that publishing and reading blocks counts too.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey, startApi, tuneHeap } from '@braid-swap/api'
import { quote, type Snapshot } from '@braid-swap/core'
import { advance, stringify, toHex } from '@braid-swap/core/advanced'
import { createMemoryFeed, createPublisher, soleLease } from '@braid-swap/feed'
import { generateBlockDiff } from '../markets/blockDiff.js'
import { loadEthereum } from '../markets/ethereum.js'
import { mixedRequests } from '../requests/requests.js'

/** A message of the parent: solve every order once, or switch blocks on or off. */
export type Question = 'solve' | { readonly isMining: boolean }

/** The first message to the parent; `paths` ask for the orders. */
export type Ready = { readonly url: string; readonly key: string; readonly paths: string[] }

/** Times of answers, in milliseconds, and the seconds in which they came. */
export type Times = { readonly ms: readonly number[]; readonly seconds: number }

const CHAIN_ID = 999
// Any address: a quote needs no router.
const ROUTER = '0x00000000000000000000000000000000000b4a1d'
const GAS_PRICE = 3_000_000_000n
const ORDERS = 200
const MOVED = 50
const BLOCK_MS = 1_000
const NEVER_MS = 86_400_000
// One array for every block, because a new one is a change.
const NO_FLAWS: readonly never[] = []

tuneHeap()
const { clean } = loadEthereum()
const orders = mixedRequests(clean, ORDERS, Number(process.argv[2])).map(({ order }) => order)
const firstBlock = { ...clean.snapshot.block, gasPrice: GAS_PRICE }
const first: Snapshot = { ...clean.snapshot, chainId: CHAIN_ID, block: firstBlock }

const feed = createMemoryFeed()
const ending = new AbortController()
const publisher = createPublisher({
  ...{ feed, lease: soleLease(), maxAgeMs: NEVER_MS, signal: ending.signal },
  onError: (error) => console.error(error),
})
const status = stringify({ router: { address: ROUTER } })
const publish = (snapshot: Snapshot) =>
  publisher.update({ snapshot, flawed: NO_FLAWS, status, ageMs: 0 })

const folder = await mkdtemp(join(tmpdir(), 'braid-bench-'))
const keysFile = join(folder, 'keys.json')
const { key } = await createKey(keysFile, { label: 'bench', rate: 900_000, burst: 900_000 })
publish(first)
const api = await startApi({
  ...{ feed, role: 'api', rpcUrls: [], router: ROUTER, keysFile, port: 0, logLevel: 'silent' },
  ...{ wrappedNative: first.wrappedNative, maxConcurrent: 1_000 },
  ...(process.argv[3] !== undefined && { searchThreads: Number(process.argv[3]) }),
  ...{ maxStateAgeMs: NEVER_MS, checksBlockTime: false, maxRequestMs: 30_000 },
})
await api.ready

let snapshot = first
let timer: NodeJS.Timeout | undefined

function mine(): void {
  const number = snapshot.block.number + 1n
  // Every second block restores the pools: without arbitrage the swaps would add up.
  const pools =
    number % 2n === 1n
      ? generateBlockDiff(first, MOVED, Number(number))
      : first.pools.filter((pool, i) => pool !== snapshot.pools[i])
  const block = { ...snapshot.block, number, hash: toHex(number, 32) }
  snapshot = advance(snapshot, { block, pools })
  publish(snapshot)
}

/** Times the solver alone on every order. */
function solve(): Times {
  const { graph } = api.market.current()!
  const start = performance.now()
  const ms = orders.map((order) => {
    const at = performance.now()
    try {
      quote(graph, order, { objective: 'net' })
    } catch {
      // An order without a route takes its time too.
    }
    return performance.now() - at
  })
  return { ms, seconds: (performance.now() - start) / 1_000 }
}

process.on('message', (question: Question) => {
  if (question === 'solve') return process.send!(solve())
  clearInterval(timer)
  if (question.isMining) timer = setInterval(mine, BLOCK_MS)
  return process.send!({})
})
process.once('disconnect', async () => {
  ending.abort()
  await publisher.ended
  await api.stop()
  await rm(folder, { recursive: true })
  process.exit()
})
const paths = orders.map(
  ({ tokenIn: src, tokenOut, amountIn }) =>
    `/swap/v1/${CHAIN_ID}/quote?src=${src}&dst=${tokenOut}&amount=${amountIn}`,
)
process.send!({ url: api.url, key, paths } satisfies Ready)
