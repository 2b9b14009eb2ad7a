/**
 * Another chain by its record alone, with blocks of another time and size: the run of orders, on every family, the faults
 * of a node, and the API that starts from its file.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey, readConfig, startApi, wire } from '@braid-swap/api'
import { startDevnetApi } from '@braid-swap/api/testing'
import { NATIVE } from '@braid-swap/core'
import { stringify } from '@braid-swap/core/advanced'
import { swapLayouts } from '@braid-swap/core/families'
import { startNodeDouble } from '@braid-swap/worlds/node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isFullRun, scaled } from '../draws.js'
import { checkSwap } from '../nodes/sample.js'
import { ownChain, ownChainFile } from '../ownChain.js'
import { createAsk, paths } from './execution/ask.js'
import { balanceOf } from './execution/balances.js'
import { pairsThrough } from './execution/orders.js'
import { performOrders } from './execution/performOrders.js'
import { mineUntil, signAndSend } from './execution/plainWallet.js'
import { executedOf, poolTypesOf } from './execution/report.js'
import { startWorld, type World } from './execution/world.js'

const SEED = 31_337
const ORDERS = scaled(100)
/** The least families that the orders of a run cross. */
const FAMILIES = 8

let world: World
beforeAll(async () => {
  world = await startWorld(SEED, ownChain)
})
afterAll(() => world?.stop())

it('a quote equals what the chain pays, to the wei', async () => {
  const called = Object.entries(swapLayouts).flatMap(([name, layout]) => (layout ? [name] : []))
  const crossed = (performed: Parameters<typeof executedOf>[0]) =>
    new Set(executedOf(performed).flatMap(poolTypesOf))
  const { performed, faults } = await performOrders(world, {
    maxTries: 4 * ORDERS + 40,
    isComplete: (before) =>
      executedOf(before).length >= ORDERS &&
      called.filter((family) => crossed(before).has(family)).length >= FAMILIES,
    wishFor: (before) => {
      const { pools } = world.api.market.current()!.graph.snapshot
      const left = called.filter((family) => !crossed(before).has(family))
      return { pairs: left.flatMap((family) => pairsThrough(world.devnet, pools, family)) }
    },
  })
  expect(faults).toEqual([])
  const { snapshot } = world.api.market.current()!.graph
  expect(snapshot).toMatchObject({
    ...{ chainId: ownChain.id, wrappedNative: ownChain.wrapped.address },
    block: { gasLimit: 20_000_000n, nextSeconds: 2n },
  })
  expect([...crossed(performed)].length).toBeGreaterThanOrEqual(isFullRun ? 12 : FAMILIES)
})

it('an API that starts from the file quotes, and a swap receives what was quoted', async () => {
  const { devnet } = world
  const { rpcUrl, venues, wallet, client, record } = devnet
  const folder = await mkdtemp(join(tmpdir(), 'braid-own-'))
  const [file, keysFile] = [join(folder, 'own.json'), join(folder, 'keys.json')]
  await writeFile(file, stringify({ ...ownChainFile, rpcUrl, venues }))
  const { key } = await createKey(keysFile, { label: 'own' })
  const api = await startApi(
    readConfig({
      ...{ BRAID_CHAIN: file, BRAID_RPC_URLS: rpcUrl, BRAID_KEYS_FILE: keysFile },
      ...{ HOST: '127.0.0.1', PORT: '0', BRAID_LOG_LEVEL: 'silent' },
      // The chain's time is not the machine's, which may be slow.
      ...{ BRAID_CHECK_BLOCK_TIME: 'false', BRAID_MAX_STATE_AGE_MS: '3600000' },
    }),
  )
  try {
    await api.ready
    const ask = createAsk(api.url, key, record.id)
    const order = { src: NATIVE, dst: record.usdTokens[0]!, amount: 10n ** 18n }
    const quoted = wire.quoteSchema.parse((await ask(paths.quote, order)).body)
    const asked = await ask(paths.swap, { ...order, from: wallet.address, slippage: 1 })
    const { tx } = wire.swapSchema.parse(asked.body)
    expect(tx.to.toLowerCase()).toBe(devnet.router)
    const held = { token: order.dst, account: wallet.address }
    const before = await balanceOf(client, held)
    await mineUntil(devnet, await signAndSend(devnet, wallet, tx))
    expect((await balanceOf(client, held)) - before).toBe(BigInt(quoted.dstAmount))
  } finally {
    await api.stop()
    await rm(folder, { recursive: true })
  }
})

it('a market is followed to the wei behind a node with faults', async () => {
  const { devnet, random } = world
  const double = await startNodeDouble(devnet.rpcUrl)
  double.set({ batchSize: 0 })
  const api = await startDevnetApi({
    ...{ devnet, chain: ownChain, rpcUrls: [double.url], pollMs: 20 },
    ...{ usdTokens: ownChain.usdTokens, wrappedNative: ownChain.wrapped.address },
    venues: devnet.venues.filter(({ id }) => /v2a|v3b|algebrav1/.test(id)),
  })
  const mine = async (blocks: number) => {
    for (let i = 0; i < blocks; i++) {
      await devnet.trade(4)
      await devnet.mine()
      await api.catchUp()
    }
  }
  const asked = { world: { devnet, apiKey: api.apikey }, url: api.url, random }
  const expectExact = async () => {
    const swaps = [await checkSwap({ ...asked, tokens: ownChain.usdTokens })]
    for (; swaps.length < 4; await mine(1))
      swaps.push(await checkSwap({ ...asked, tokens: ownChain.usdTokens }))
    expect(swaps.filter((swap) => 'refusal' in swap || swap.isWrong)).toEqual([])
  }
  try {
    await mine(1)
    // A block that is null for ever, whose logs the API never sees.
    double.set({ nullBlock: (await double.head()) + 1 })
    await devnet.trade(12)
    await devnet.mine()
    await mine(1)
    await expectExact()
    double.set({ lateLogsMs: 200 })
    await mine(3)
    double.set({ lateLogsMs: 0 })
    await mine(2)
    await expectExact()
  } finally {
    await api.stop()
    await double.stop()
  }
})
