import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StartOptions, wire } from '@braid-swap/api'
import { type DevnetApi, startDevnetApi } from '@braid-swap/api/testing'
import { NATIVE } from '@braid-swap/core'
import { createRandom, type Devnet, startDevnet } from '@braid-swap/devnet'
import {
  blockAt,
  type NodeDouble,
  type Quirks,
  startNodeDouble,
  unlimited,
  upstreamAt,
} from '@braid-swap/worlds/node'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { checkSwap } from './sample.js'

// Few pools, so that the API loads them several times in seconds.
const VENUES = ['devnet-v2a', 'devnet-v3b']
const BOUGHT = ['USDC', 'USD₮0', 'UBTC', 'UETH', 'PURR', 'UPUMP']
/** Far above the time between two blocks here. */
const LATE_LOGS_MS = 200

let devnet: Devnet
let folder: string
let double: NodeDouble
let api: DevnetApi | undefined
const random = createRandom(1)

beforeAll(async () => {
  // What is asked here depends on the base fee, which a devnet that others have used may have moved.
  devnet = await startDevnet()
  folder = await mkdtemp(join(tmpdir(), 'braid-nodes-'))
})
afterAll(async () => {
  await devnet?.stop()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  double = await startNodeDouble(devnet.rpcUrl)
})
afterEach(async () => {
  await api?.stop()
  api = undefined
  await double.stop()
})

async function start(
  quirks: Partial<Quirks> = {},
  options: Partial<StartOptions> = {},
): Promise<void> {
  double.set(quirks)
  const venues = devnet.venues.filter(({ id }) => VENUES.includes(id))
  api = await startDevnetApi({ devnet, rpcUrls: [double.url], venues, pollMs: 20, ...options })
}

/** Mines a block with trades and waits until it is served. */
async function mineServed(): Promise<void> {
  await devnet.trade(4)
  await devnet.mine()
  await api!.catchUp()
}

/** The answers that the node does not pay to the wei. */
async function wrongAnswers(count = 5): Promise<readonly unknown[]> {
  const wrong: unknown[] = []
  const bought = devnet.tokens.filter(({ symbol }) => BOUGHT.includes(symbol))
  const tokens = bought.map(({ address }) => address)
  for (let i = 0; i < count; i++) {
    const swap = await checkSwap({
      world: { devnet, apiKey: api!.apikey },
      url: api!.url,
      tokens,
      random,
    })
    if ('refusal' in swap || swap.isWrong) wrong.push(swap)
  }
  return wrong
}

async function expectExact(blocks: number): Promise<void> {
  for (let i = 0; i < blocks; i++) {
    await mineServed()
    expect(await wrongAnswers()).toEqual([])
  }
}

const errors = () => Object.keys(double.counts().errors).join('\n')

it('is exact behind the official endpoint, which ignores blocks and overrides', async () => {
  await start({ ...unlimited, latencyMs: [0, 10] })
  await expectExact(4)
  expect(errors()).toBe('')
})

it('serves at once where calls are answered from later blocks, and asks no venue first when it returns', async () => {
  const stateDir = join(folder, 'returns')
  const states = () => api!.market.venues!().map(({ state }) => state)
  // A block between the read of the market and the questions about it.
  let isStarting = true
  const mine = async () => {
    while (isStarting) await devnet.mine().then(() => sleep(20))
  }
  const mining = mine()
  try {
    await start({ ...unlimited, latencyMs: [0, 0] }, { stateDir, venueStates: new Map() })
  } finally {
    isStarting = false
    await mining
  }
  expect(states()).toEqual(['canary', 'canary'])
  await mineServed()
  const before = states()
  await api!.stop()
  double.reset()
  await start({}, { stateDir, venueStates: new Map(), rpcRequestsPerMinute: 1_200 })
  // They ask what kind of node it is; trials would add more.
  expect(double.counts().methods['eth_call'] ?? 0).toBeLessThanOrEqual(3)
  expect(states()).toEqual(before)
  expect(await wrongAnswers()).toEqual([])
})

it('is exact behind a node that refuses batches, and does not send one again', async () => {
  await start({ batchSize: 0 })
  const { batches } = double.counts()
  expect(batches).toBeGreaterThan(0)
  await expectExact(4)
  expect(double.counts().batches).toBe(batches)
})

it('is exact behind a node that refuses calls above 5M gas', async () => {
  await start({ callGas: 5_000_000, moreGas: 'refused' })
  await expectExact(4)
  expect(errors()).toContain('intrinsic gas too high')
})

it('passes a block that is null for ever, whose logs it never sees', async () => {
  await start()
  await mineServed()
  double.set({ nullBlock: (await double.head()) + 1 })
  await devnet.trade(12)
  await devnet.mine()
  await expectExact(4)
  expect(errors()).toContain('invalid block range')
})

it('is exact again two blocks after a node whose newest logs come late', async () => {
  await start({ lateLogsMs: LATE_LOGS_MS })
  for (let i = 0; i < 6; i++) await mineServed()
  double.set({ lateLogsMs: 0 })
  for (let i = 0; i < 2; i++) await mineServed()
  await expectExact(4)
})

it('refuses no swap, and prices each at its header, while the base fee rises 800 times and falls to 7 wei', async () => {
  await start({ baseFee: 'still' })
  await mineServed()
  double.set({ spikeAt: (await double.head()) + 3 })
  const headers: bigint[] = []
  // Up to the peak after 57 full blocks, and 220 empty ones, which are seen less often.
  for (const blocks of [...Array<number>(20).fill(3), ...Array<number>(22).fill(10)]) {
    await devnet.mine(blocks - 1)
    await mineServed()
    const { baseFeePerGas, gasUsed } = (await blockAt(upstreamAt(double.url), await double.head()))!
    const fee = BigInt(`${baseFeePerGas}`)
    // A fall over blocks that were not seen is not predicted: a chain may have a floor.
    const next = gasUsed === '0x0' ? [fee, fee - fee / 8n] : [fee + fee / 8n]
    headers.push(fee)
    const { body } = await api!.get<wire.SwapBody & wire.ErrorBody>('/swap/v1/999/swap', {
      ...{ src: NATIVE, dst: devnet.tokens.find(({ symbol }) => symbol === 'USDC')!.address },
      ...{ amount: '1000000000000000000', slippage: '1', includeMeta: 'true' },
    })
    const { code, meta } = body
    expect([fee, code]).toEqual([fee, undefined])
    expect(next).toContain(BigInt(`${meta!.gasPrice}`) - BigInt(`${meta!.priorityFee ?? 0}`))
  }
  expect(headers.some((fee) => fee > 80n * 10n ** 9n)).toBe(true)
  expect(headers.at(-1)).toBe(7n)
})

it('says at 200 which venues lack pools where no node keeps the blocks that name them', async () => {
  await devnet.client.mine({ blocks: 150 })
  await start({ keptBlocks: 110 })
  const { status, body } = await api!.get<wire.ReadyBody>('/readyz')
  expect(status).toBe(200)
  const { code, message } = body
  expect(code).toBeNull()
  expect(message).toContain('1 of 2 venues lack the pools that only older logs name')
  expect(message).toContain('BRAID_STATE_DIR')
})
