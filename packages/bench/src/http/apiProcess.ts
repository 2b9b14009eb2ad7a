// The API in a process of its own, on the recorded market, as `startApi` runs it for operators. The
// market comes through a feed in this process, so publishing and reading blocks counts too. The
// parent asks by messages for blocks, for the solver alone and for the time of the processor.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey, startApi } from '@braid-swap/api'
import { type Snapshot, stringify } from '@braid-swap/core'
import { createMemoryFeed, createPublisher, soleLease } from '@braid-swap/feed'
import type { Answer, Question, Ready } from './messages.js'
import { createMovingMarket, createSolverAlone } from './movingMarket.js'
import { loadServedMarket, pathOf, ROUTER } from './servedMarket.js'

const UNLIMITED = { rate: 900_000, burst: 900_000 }
const NEVER_MS = 86_400_000

const [orderCount = '200', seed = '1', places = '1000'] = process.argv.slice(2)
const { snapshot, orders, isSmall } = loadServedMarket(Number(orderCount), Number(seed))
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
const publish = (next: Snapshot) =>
  publisher.update({ snapshot: next, flawed: [], status, ageMs: 0 })
const market = createMovingMarket(snapshot, publish)
publish(snapshot)
const api = await startApi({
  ...{ feed, role: 'api', rpcUrls: [], router: ROUTER, keysFile, port: 0, logLevel: 'silent' },
  ...{ wrappedNative: snapshot.wrappedNative, maxConcurrent: Number(places) },
  ...{ maxStateAgeMs: NEVER_MS, checksBlockTime: false, maxRequestMs: 30_000 },
})
await api.ready

const alone = createSolverAlone(orders)
process.on('message', async (question: Question) => {
  const send = (answer: Answer) => process.send!(answer)
  if (question.ask === 'solver') {
    send({ solved: alone.time(api.market.current()!.graph, question.seconds) })
  }
  if (question.ask === 'cpu') {
    const { user, system } = process.cpuUsage()
    send({ cpuMs: (user + system) / 1_000 })
  }
  if (question.ask === 'blocks') {
    market.setBlocks(question.on)
    send({})
  }
  if (question.ask === 'end') {
    market.setBlocks(false)
    ending.abort()
    await api.stop()
    await rm(folder, { recursive: true })
    process.exit()
  }
})

process.send!({
  ...{ url: api.url, key, polite, flooding, pools: snapshot.pools.length },
  ...{ paths: orders.map(pathOf), isSmall },
} satisfies Ready)
