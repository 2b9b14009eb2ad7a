import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient, type Market, type PoolRef } from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import {
  type Chain,
  createTokens,
  deployUniswapV3,
  sortTokens,
  startChain,
  toSqrtPriceX96,
  type UniswapV3,
} from '@braid-swap/devnet'
import { createV3Pool } from '@braid-swap/devnet/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createBootstrap } from './bootstrap.js'

let chain: Chain
let client: Client
let v3: UniswapV3
let tokens: readonly Address[]
let ids: readonly Address[]
let stateDir: string
let lines: string[]

beforeAll(async () => {
  chain = await startChain()
  client = createClient(chain.rpcUrl)
  const created = await createTokens(
    chain,
    ['AAA', 'BBB', 'CCC'].map((symbol) => ({ symbol, name: symbol, decimals: 18 })),
  )
  tokens = created.map(({ address }) => address)
  v3 = await deployUniswapV3(chain, 'test-v3')
  const [a, b, c] = tokens as [Address, Address, Address]
  const positions = [{ tickLower: -600, tickUpper: 600, liquidity: 10n ** 20n }]
  const pools = []
  for (const pair of [sortTokens(a, b), sortTokens(b, c)]) {
    const spec = { tokens: pair, feePpm: 3000, sqrtPriceX96: toSqrtPriceX96(1), positions }
    pools.push(await createV3Pool(chain, v3, spec))
  }
  ids = pools.map(({ address }) => address)
  // Too long a past to be searched before the first quote.
  await chain.client.mine({ blocks: 10_001 })
})
afterAll(() => chain?.stop())

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'braid-search-'))
  lines = []
  return () => rm(stateDir, { recursive: true, force: true })
})

function loading(signal = new AbortController().signal) {
  return createBootstrap({
    ...{ client, searcher: client, rpcUrls: [chain.rpcUrl], stateDir, saveEveryMs: 60_000 },
    ...{ tokens: tokens.slice(0, 2), venues: [v3.venue], signal },
    wrappedNative: chain.wrappedNative,
    log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
  })
}

const poolIds = ({ state }: Market) => state.pools.map(({ id }) => id)
const isDone = () => lines.some((line) => line.includes('pool search finished'))

describe('on a chain with a long history', () => {
  it('starts with the pools of the listed tokens, and finds the others meanwhile', async () => {
    const { load, newPools, progress } = loading()
    expect(progress()).toMatchObject({ isDone: false, venues: 1, venuesDone: 0, poolsFound: 0 })
    const market = await load()
    expect(poolIds(market)).toEqual([ids[0]])
    await expect.poll(isDone, { timeout: 30_000 }).toBe(true)
    expect(progress()).toEqual({
      ...{ isDone: true, venues: 1, venuesDone: 1, poolsFound: 2, setAside: [] },
      blocksSearched: market.state.snapshot.block.number + 1n - v3.venue.fromBlock!,
      ...{ blocksLeft: 0n, msLeft: 0 },
    })
    expect(newPools().map(({ id }) => id)).toEqual([ids[1]])
    expect(newPools()).toEqual([])
  })

  it('keeps the found pools if the saved market itself cannot be used', async () => {
    const first = loading()
    const market = await first.load()
    await expect.poll(isDone, { timeout: 30_000 }).toBe(true)
    const pools = [...market.state.pools, ...first.newPools()] as PoolRef[]
    first.keep({ ...market, state: { ...market.state, pools } })
    await first.flush()
    await truncate(join(stateDir, 'market'), 10)
    lines = []
    const second = loading()
    expect(poolIds(await second.load()).sort()).toEqual([...ids].sort())
    await expect.poll(isDone, { timeout: 30_000 }).toBe(true)
    // The past was not searched again.
    expect(second.progress().venuesDone).toBe(0)
    expect(second.newPools()).toEqual([])
  })

  it('resumes an interrupted search', async () => {
    const stop = new AbortController()
    const first = loading(stop.signal)
    const market = await first.load()
    stop.abort()
    first.keep(market)
    await first.flush()
    const second = loading()
    expect(poolIds(await second.load())).toEqual([ids[0]])
    expect(lines.some((line) => line.includes('resuming'))).toBe(true)
    await expect.poll(isDone, { timeout: 30_000 }).toBe(true)
    expect(second.newPools().map(({ id }) => id)).toEqual([ids[1]])
  })
})
