// The API in a process of its own, on the recorded market, as `startApi` runs it for operators. The
// market comes through a feed in this process, so publishing and reading blocks counts too.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey, startApi, tuneHeap } from '@braid-swap/api'
import { createMemoryFeed, soleLease } from '@braid-swap/feed'
import { answerParent, NEVER_MS, publishMarket } from './recordedMarket.js'
import { loadServedMarket, ROUTER } from './servedMarket.js'

tuneHeap()

const UNLIMITED = { rate: 900_000, burst: 900_000 }

const [orderCount = '200', seed = '1', places = '1000'] = process.argv.slice(2)
const served = loadServedMarket(Number(orderCount), Number(seed))
const { wrappedNative } = served.snapshot
const folder = await mkdtemp(join(tmpdir(), 'braid-bench-'))
const keysFile = join(folder, 'keys.json')
const { key } = await createKey(keysFile, { label: 'driver', ...UNLIMITED })
const { key: polite } = await createKey(keysFile, { label: 'polite' })
const { key: flooding } = await createKey(keysFile, { label: 'flooding' })
const feed = createMemoryFeed()
const { market, stop } = publishMarket(served.snapshot, { feed, lease: soleLease() })
const api = await startApi({
  ...{ feed, role: 'api', rpcUrls: [], router: ROUTER, keysFile, port: 0, logLevel: 'silent' },
  ...{ wrappedNative, maxConcurrent: Number(places) },
  ...{ maxStateAgeMs: NEVER_MS, checksBlockTime: false, maxRequestMs: 30_000 },
})
await api.ready

answerParent(served, {
  ...{ market, url: api.url, key, polite, flooding },
  graph: () => api.market.current()!.graph,
  stop: async () => {
    await stop()
    await api.stop()
    await rm(folder, { recursive: true })
  },
})
