import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey, type RunningApi, startApi, wire } from '@braid-swap/api'
import { createTokens, deployRouter } from '@braid-swap/devnet'
import { type NodeDouble, startNodeDouble } from '@braid-swap/worlds/node'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMintedPair } from '../families/doubles/oddTokens.js'
import { type ChainWorld, startChainWorld } from './world.js'

let world: ChainWorld
let proxies: readonly NodeDouble[]
let api: RunningApi
let folder: string

beforeAll(async () => {
  world = await startChainWorld()
  const { chain, addressOf, v2, v3 } = world
  const [token] = await createTokens(chain, [{ symbol: 'NEW', name: 'New', decimals: 18 }])
  const tokens = [token!.address, addressOf.AAA] as const
  await createMintedPair(chain, v2, { tokens, amounts: [0n, 0n] })
  const { router } = await deployRouter(chain)
  // At 50 blocks per request, this budget needs minutes for the past blocks.
  for (let mined = 0; mined < 12_000; mined += 500) await chain.client.mine({ blocks: 500 })
  const starts = [1, 2].map(() => startNodeDouble(chain.rpcUrl, { logRange: 49 }))
  proxies = await Promise.all(starts)
  folder = await mkdtemp(join(tmpdir(), 'braid-operators-'))
  const keysFile = join(folder, 'keys.json')
  await createKey(keysFile, { label: 'test' })
  const { wrappedNative } = chain
  api = await startApi({
    ...{ keysFile, router, wrappedNative, port: 0, metricsPort: 0 },
    // Nothing is mined meanwhile.
    ...{
      pollMs: 50,
      maxStateAgeMs: 3_600_000,
      checksBlockTime: false,
      venues: [v2.venue, v3.venue],
    },
    ...{ rpcUrls: proxies.map(({ url }) => url), rpcRequestsPerMinute: 600 },
    log: pino({ level: 'silent' }),
  })
})
afterAll(async () => {
  await api?.stop()
  await Promise.all((proxies ?? []).map((proxy) => proxy.stop()))
  await world?.chain.stop()
  await rm(folder, { recursive: true, force: true })
})

async function ready() {
  const response = await fetch(`${api.url}/readyz`)
  return { status: response.status, body: (await response.json()) as unknown }
}

async function metrics(): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(api.metricsUrl!)).text()
  const lines = text.split('\n').filter((line) => line.startsWith('braid_'))
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))] as const
    }),
  )
}

// A slow machine needs a while to load.
const TIMEOUT_MS = 150_000

it(
  '/readyz reports the progress of pool discovery, ready or not, and /metrics the pools',
  async () => {
    const early = await ready()
    expect(early.status).toBe(503)
    expect(wire.readySchema.parse(early.body)).toMatchObject({
      ...{ status: 'not_ready', code: 'NOT_READY', blockNumber: null },
      discovery: { isDone: false, venues: 2, venuesDone: 0, poolsFound: 0, setAside: {} },
    })
    await api.ready
    const read = async () => wire.readySchema.parse((await ready()).body).discovery!
    const message = expect.stringContaining('the search continues')
    expect(await ready()).toMatchObject({ status: 503, body: { code: 'NO_POOLS', message } })
    await expect
      .poll(async () => (await read()).secondsLeft, { timeout: 50_000 })
      .toBeGreaterThan(0)
    // Found pools join the market with the next head.
    await world.chain.mine()
    await expect
      .poll(async () => (await read()).setAside, { timeout: 30_000 })
      .toEqual({ POOL_EMPTY: 1 })
    expect(await ready()).toMatchObject({ status: 200, body: { status: 'ready', code: null } })
    const now = await read()
    // The pairs are listed by their factory, but the other venue has a long past to search.
    expect(now).toMatchObject({ isDone: false, venues: 2, venuesDone: 1 })
    expect(now.poolsFound).toBeGreaterThanOrEqual(4)
    expect(Number(now.blocksSearched)).toBeGreaterThan(0)
    const all = Number(now.blocksSearched) + Number(now.blocksLeft)
    // Up to the block at which the search began.
    expect(all).toBeGreaterThan(12_000)
    expect(now.secondsLeft).toBeGreaterThan(0)
    // The metrics have the pools of the newest market.
    await world.chain.mine()
    const empty = async () =>
      [...(await metrics())].filter(([name]) => /^braid_pools{.*"POOL_EMPTY"/.test(name))
    await expect.poll(async () => (await empty()).map(([, count]) => count)).toEqual([1])
  },
  TIMEOUT_MS,
)

/** What a node was asked, by outcome. */
const of = (values: ReadonlyMap<string, number>, endpoint: number, outcome: string) =>
  values.get(`braid_rpc_requests_total{endpoint="${endpoint}",outcome="${outcome}"}`)!

it(
  '/metrics counts what each node was asked, as the node counts it',
  async () => {
    await api.ready
    proxies[0]!.set({ requestsPerMinute: 0, retryAfter: '1' })
    await expect.poll(() => proxies[0]!.counts().limited, { timeout: 30_000 }).toBeGreaterThan(1)
    proxies[0]!.set({ requestsPerMinute: Number.POSITIVE_INFINITY })
    await expect
      .poll(async () => of(await metrics(), 1, 'answered'), { timeout: 30_000 })
      .toBeGreaterThan(0)
    for (const [i, proxy] of proxies.entries()) {
      const before = proxy.counts()
      const values = await metrics()
      const after = proxy.counts()
      const asked = ['answered', 'failed', 'limited'].reduce(
        (sum, one) => sum + of(values, i, one),
        0,
      )
      // The node counts a request when it arrives, and this test when it is answered.
      expect(asked).toBeGreaterThanOrEqual(before.requests - UNDER_WAY)
      expect(asked).toBeLessThanOrEqual(after.requests)
    }
    const values = await metrics()
    expect(of(values, 0, 'limited')).toBeGreaterThan(0)
    expect(of(values, 1, 'limited')).toBe(0)
    expect([...values.keys()].join()).not.toContain('127.0.0.1')
  },
  TIMEOUT_MS,
)

/** The most concurrent requests of a client in this test. */
const UNDER_WAY = 20
