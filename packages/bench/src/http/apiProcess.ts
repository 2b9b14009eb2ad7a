// The API in a process of its own, on the recorded market, as `startApi` runs it for operators. The
// market comes through a feed in this process, so publishing and reading blocks counts too. The
// parent asks by messages for blocks, for the solver alone and for the time of the processor.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey, startApi } from '@braid-swap/api'
import { advance, stringify, toHex } from '@braid-swap/core'
import { createMemoryFeed, createPublisher, soleLease } from '@braid-swap/feed'
import { generateBlockDiff } from '../markets/blockDiff.js'
import type { Answer, Question } from './messages.js'
import { loadServedMarket, pathOf, solve } from './servedMarket.js'

const ROUTER = '0x00000000000000000000000000000000000b4a1d'
/** Pools that a block changes. */
const MOVED = 50
const BLOCK_MS = 1_000
const UNLIMITED = { rate: 900_000, burst: 900_000 }
const NEVER_MS = 86_400_000

const [orderCount = '200', seed = '1', places = '1000'] = process.argv.slice(2)
const { snapshot: first, orders } = loadServedMarket(Number(orderCount), Number(seed))
const folder = await mkdtemp(join(tmpdir(), 'braid-bench-'))
const keysFile = join(folder, 'keys.json')
const { key } = await createKey(keysFile, { label: 'driver', ...UNLIMITED })
const { key: polite } = await createKey(keysFile, { label: 'polite' })
const { key: flooding } = await createKey(keysFile, { label: 'flooding' })
const ending = new AbortController()
const feed = createMemoryFeed()
const publisher = createPublisher({
  ...{ feed, lease: soleLease(), maxAgeMs: NEVER_MS, signal: ending.signal },
  onError: (error) => console.error(error),
})
const status = stringify({ router: { address: ROUTER } })

let snapshot = first
const publish = () => publisher.update({ snapshot, flawed: [], status, ageMs: 0 })
publish()
const api = await startApi({
  ...{ feed, role: 'api', rpcUrls: [], router: ROUTER, keysFile, port: 0, logLevel: 'silent' },
  ...{ wrappedNative: first.wrappedNative, maxConcurrent: Number(places) },
  ...{ maxStateAgeMs: NEVER_MS, checksBlockTime: false, maxRequestMs: 30_000 },
})
await api.ready

let blocks: NodeJS.Timeout | undefined
const mine = () => {
  const { number } = snapshot.block
  // Every second block restores the pools: without arbitrage the swaps would add up.
  const moved =
    number % 2n === 0n ? generateBlockDiff(first, MOVED, Number(number)) : first.pools.slice()
  const changed = moved.filter((pool) => !snapshot.pools.includes(pool))
  const block = { ...snapshot.block, number: number + 1n, hash: toHex(Number(number) + 1, 32) }
  snapshot = advance(snapshot, { block, pools: changed })
  publish()
}

/** Rate and times of the solver alone, for some seconds, on the state that the API serves. */
function measureSolver(seconds: number): Answer {
  const { graph } = api.market.current()!
  const times: number[] = []
  const before = process.cpuUsage()
  const start = performance.now()
  for (let i = 0; performance.now() - start < seconds * 1_000; i++) {
    const at = performance.now()
    solve(graph, orders[i % orders.length]!, { objective: 'net', shouldStop: () => false })
    times.push(performance.now() - at)
  }
  const cpu = process.cpuUsage(before)
  return {
    times,
    seconds: (performance.now() - start) / 1_000,
    cpuMs: (cpu.user + cpu.system) / 1e3,
  }
}

process.on('message', async (question: Question) => {
  const send = (answer: Answer) => process.send!(answer)
  if (question.ask === 'solver') send(measureSolver(question.seconds))
  if (question.ask === 'cpu') {
    const { user, system } = process.cpuUsage()
    send({ cpuMs: (user + system) / 1_000 })
  }
  if (question.ask === 'blocks') {
    clearInterval(blocks)
    if (question.on) blocks = setInterval(mine, BLOCK_MS)
    send({})
  }
  if (question.ask === 'end') {
    clearInterval(blocks)
    ending.abort()
    await api.stop()
    await rm(folder, { recursive: true })
    process.exit()
  }
})

process.send!({
  ...{ url: api.url, key, polite, flooding, pools: first.pools.length },
  paths: orders.map(pathOf),
} satisfies Answer)
