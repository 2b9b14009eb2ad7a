import { setTimeout as sleep } from 'node:timers/promises'
import { type ServedApi, startServedApi } from '@braid-swap/api/testing'
import type { Address } from '@braid-swap/core'
import { type Chain, deployRouter, startChain } from '@braid-swap/devnet'
import { type NodeDouble, startNodeDouble } from '@braid-swap/worlds/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChainWorld, startChainWorld } from './world.js'

let world: ChainWorld
let other: Chain
let router: Address
let mining = true
let mined: Promise<void>
beforeAll(async () => {
  world = await startChainWorld()
  other = await startChain()
  for (const chain of [world.chain, other]) ({ router } = await deployRouter(chain))
  mined = mine()
})
afterAll(async () => {
  mining = false
  await mined
  await world?.chain.stop()
  await other?.stop()
})

/** Mines blocks on both chains, at the same heights. */
async function mine() {
  while (mining) {
    await world.chain.mine()
    const [height, otherHeight] = await Promise.all(
      [world.chain, other].map(({ client }) => client.getBlockNumber({ cacheTime: 0 })),
    )
    const missing = Number(height! - otherHeight!)
    if (missing > 0) await other.client.mine({ blocks: missing })
    await sleep(200)
  }
}

async function startOver(proxies: readonly NodeDouble[]): Promise<ServedApi> {
  const { wrappedNative } = world.chain
  return startServedApi(world.chain, {
    ...{ router, wrappedNative, venues: [world.v2.venue], maxStateAgeMs: 3_000 },
    rpcUrls: proxies.map(({ url }) => url),
  })
}

type Body = { readonly code?: string; readonly details?: Readonly<Record<string, unknown>> }

async function ask(api: ServedApi, endpoint: 'quote' | 'swap') {
  const { AAA, BBB } = world.addressOf
  const query = `src=${AAA}&dst=${BBB}&amount=1000000000000&slippage=1`
  const url = `${api.url}/swap/v1/999/${endpoint}?${query.replace(endpoint === 'quote' ? '&slippage=1' : '', '')}`
  const response = await fetch(url, { headers: { apikey: api.apikey } })
  const body = (await response.json()) as Body
  const answer = [response.status, body.code].filter((part) => part !== undefined).join(' ')
  return { answer, body, retryAfter: response.headers.get('retry-after') }
}

/** Waits until both endpoints answer like this. */
async function becomes(api: ServedApi, answer: string) {
  for (const endpoint of ['quote', 'swap'] as const) {
    await expect
      .poll(async () => (await ask(api, endpoint)).answer, { timeout: 40_000, interval: 50 })
      .toBe(answer)
  }
}

const proxyOf = (chain: Chain) => startNodeDouble(chain.rpcUrl)

describe('/quote and /swap', () => {
  it('answer 503 STATE_STALE while the node is down, and recover automatically', async () => {
    const proxy = await proxyOf(world.chain)
    const api = await startOver([proxy])
    await becomes(api, '200')
    proxy.set({ cutChance: 1 })
    await becomes(api, '503 STATE_STALE')
    const { body, retryAfter } = await ask(api, 'quote')
    expect(body.details).toMatchObject({ ageMs: expect.any(Number), limitMs: 3_000 })
    expect(retryAfter).toBe('1')
    proxy.set({ cutChance: 0 })
    await becomes(api, '200')
    await api.stop()
    await proxy.stop()
  })

  it('continue with the other node if one of two is down', async () => {
    const proxies = await Promise.all([proxyOf(world.chain), proxyOf(world.chain)])
    const api = await startOver(proxies)
    await becomes(api, '200')
    proxies[0]!.set({ cutChance: 1 })
    const before = api.market.current()!.graph.snapshot.block.number
    await expect
      .poll(() => api.market.current()!.graph.snapshot.block.number, { timeout: 40_000 })
      .toBeGreaterThan(before + 3n)
    await becomes(api, '200')
    await api.stop()
    await Promise.all(proxies.map((proxy) => proxy.stop()))
  })

  it('answer 503 STATE_STALE while two nodes have different blocks, and name the block', async () => {
    const proxies = await Promise.all([proxyOf(world.chain), proxyOf(other)])
    const api = await startOver(proxies)
    await becomes(api, '503 STATE_STALE')
    // A slow machine may say first that the state is old.
    const details = async () => (await ask(api, 'swap')).body.details
    await expect.poll(details, { timeout: 40_000 }).toMatchObject({
      blockNumber: expect.stringMatching(/^[0-9]+$/),
      blockHashes: expect.stringMatching(/^0x[0-9a-f]{64} 0x[0-9a-f]{64}$/),
    })
    proxies[1]!.set({ cutChance: 1 })
    await becomes(api, '200')
    await api.stop()
    await Promise.all(proxies.map((proxy) => proxy.stop()))
  })
})
