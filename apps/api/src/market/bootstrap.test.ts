import { mkdtemp, readFile, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient, type Market } from '@braid-swap/chain'
import {
  approveCall,
  type Chain,
  createTokens,
  deployUniswapV2,
  mintCalls,
  sortTokens,
  startChain,
  type UniswapV2,
  v2SwapCall,
} from '@braid-swap/devnet'
import { createV2Pool } from '@braid-swap/devnet/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createBootstrap } from './bootstrap.js'

let chain: Chain
let client: Client
let venue: UniswapV2
let swap: () => Promise<void>
let stateDir: string
let lines: string[]

beforeAll(async () => {
  chain = await startChain()
  client = createClient(chain.rpcUrl)
  const [a, b] = await createTokens(chain, [
    { symbol: 'AAA', name: 'A', decimals: 18 },
    { symbol: 'BBB', name: 'B', decimals: 6 },
  ])
  venue = await deployUniswapV2(chain, 'test-v2')
  const tokens = sortTokens(a!.address, b!.address)
  await createV2Pool(chain, venue, { tokens, amounts: [10n ** 20n, 10n ** 20n] })
  const [tokenIn, tokenOut] = tokens
  const from = chain.accounts[1]!.address
  await chain.execute([
    ...mintCalls(chain.deployer, { token: tokenIn, to: from, amount: 10n ** 18n }),
    approveCall(tokenIn, { owner: from, spender: venue.router }),
  ])
  swap = async () => {
    await chain.send([v2SwapCall(venue, { from, tokenIn, tokenOut, amountIn: 1_000_000n })])
    await chain.mine()
  }
})
afterAll(() => chain?.stop())

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'braid-loading-'))
  lines = []
  return () => rm(stateDir, { recursive: true, force: true })
})

function loading(saveEveryMs = 60_000) {
  return createBootstrap({
    ...{ client, rpcUrls: [chain.rpcUrl], stateDir, saveEveryMs, venues: [venue.venue] },
    ...{ searcher: client, tokens: [], signal: new AbortController().signal },
    wrappedNative: chain.wrappedNative,
    log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
  })
}

async function saved(): Promise<Market> {
  const { load, keep, flush } = loading()
  const market = await load()
  keep(market)
  await flush()
  return market
}

const said = (text: string) => lines.filter((line) => line.includes(text))

describe('a restart', () => {
  it('resumes from the saved market and updates it to the head', async () => {
    const before = await saved()
    await swap()
    const market = await loading().load()
    expect(said('resuming')).toHaveLength(1)
    expect(market.state.snapshot.block.number).toBe(await chain.client.getBlockNumber())
    expect(market.state.snapshot.pools).not.toEqual(before.state.snapshot.pools)
    await rm(stateDir, { recursive: true })
    expect((await loading().load()).state.snapshot).toEqual(market.state.snapshot)
  })

  it('at exactly the saved block is as fresh as the node', async () => {
    // Of failed reads, logs and prices a restart knows nothing: it reads such pools at once.
    const { state, cursor, trust } = await saved()
    const { gasPrices: _, receivedAtMs, ...before } = state
    const { failing, ...kept } = cursor
    const market = await loading().load()
    expect(failing).toEqual(new Map())
    const { receivedAtMs: now } = market.state
    expect(market).toEqual({ state: { ...before, receivedAtMs: now }, cursor: kept, trust })
    expect(now).toBeGreaterThanOrEqual(receivedAtMs)
  })

  it('uses the kept profiles of its endpoints, and probes them again behind the market', async () => {
    await saved()
    const own: string[] = []
    lines = own
    await loading().load()
    const at = (text: string) => own.findIndex((line) => line.includes(text))
    await expect.poll(() => at('endpoint probed')).toBeGreaterThan(at('resuming'))
    expect(at('resuming')).toBeGreaterThanOrEqual(0)
  })

  it('loads everything again if the file is truncated, and logs why', async () => {
    const before = await saved()
    const file = join(stateDir, 'market')
    await truncate(file, (await readFile(file)).length - 1)
    expect((await loading().load()).state.snapshot).toEqual(before.state.snapshot)
    expect(said('truncated')).toHaveLength(1)
    expect(said('resuming')).toHaveLength(0)
  })

  it('loads everything again if the chain was replaced by a shorter one', async () => {
    const id = await chain.client.snapshot()
    await swap()
    await swap()
    await saved()
    await chain.client.revert({ id })
    const market = await loading().load()
    expect(said('ignoring the saved market')).toHaveLength(1)
    expect(market.state.snapshot.block.number).toBe(await chain.client.getBlockNumber())
  })
})

describe('keeping', () => {
  it('saves only the newest of several markets in quick succession', async () => {
    const { load, keep, flush } = loading()
    const first = await load()
    keep(first)
    for (let i = 0; i < 3; i++) await swap()
    const last = await loading().load()
    keep(first)
    keep(last)
    await flush()
    expect((await loading().load()).state.snapshot).toEqual(last.state.snapshot)
    expect(said('resuming').at(-1)).toContain(`"from":"${last.state.snapshot.block.number}"`)
  })

  it('continues if a file cannot be written', async () => {
    const { load, keep, flush } = loading()
    const market = await load()
    await rm(stateDir, { recursive: true })
    stateDir = '/dev/null/nowhere'
    const broken = loading()
    broken.keep(market)
    await broken.flush()
    expect(said('failed to save')).toHaveLength(1)
    expect(broken.failedSaves()).toBe(1)
    stateDir = await mkdtemp(join(tmpdir(), 'braid-loading-'))
    keep(market)
    await flush()
  })
})
