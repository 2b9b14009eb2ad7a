// The price guard at a block: sources that are not listed, rates that step, and pools that pay more than another route.
import type { Address, Pool, Snapshot } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import type { Erc4626Pool } from '@braid-swap/core/families'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { wrapPool } from '../market/loadMarket.js'
import type { Header } from '../reads/headers.js'
import { words } from '../testing/loaderAnswers.js'
import { type ScriptedNode, startScriptedNode } from '../testing/scriptedNode.js'
import type { Client } from '../transport/client.js'
import { type PriceGuard, staysAside, withinPrices } from './priceGuard.js'
import type { RateHistory } from './rateHistory.js'

const [wrapped, asset, share, source] = [1, 2, 3, 4].map((i) => toHex(0xaa0 + i, 20)) as [
  Address,
  Address,
  Address,
  Address,
]
const E24 = 10n ** 24n
const guard: PriceGuard = { books: [], units: [], maxOffBps: 100 }

const pair = (
  n: number,
  token: Address,
  reserves: readonly [bigint, bigint] = [E24, E24],
): Pool => ({
  ...{ family: 'uniswapV2', id: toHex(n, 20), venue: 'pairs', tokens: [wrapped, token] },
  ...{ reserves, feePpm: 0 },
})
/** A vault whose share is worth so many parts per million of an asset. */
const vault = (ppm: bigint, more: Partial<Erc4626Pool> = {}): Erc4626Pool => ({
  ...{ family: 'erc4626', id: share, venue: 'vaults', tokens: [asset, share] },
  ...{ totalSupply: E24, totalAssets: (E24 * ppm) / 1_000_000n, virtuals: [0n, 0n], ...more },
})
const sampled: Pool = {
  ...{ family: 'ladder', id: toHex(0x1ad, 20), venue: 'sampled', protocol: 'estimateSwap' },
  ...{ tokens: [asset, wrapped], sampledAt: 1n, quotedAt: 2n },
  ladders: [[[E24, E24]], [[E24, E24]]],
}
const routes = [pair(0x11, asset), pair(0x12, share)]

let node: ScriptedNode
let client: Client
beforeEach(async () => {
  node = await startScriptedNode()
  client = createClient(node.url)
})
afterEach(() => node.stop())

const snapshotOf = (pools: readonly Pool[]): Snapshot => ({
  ...{ chainId: 999, wrappedNative: wrapped, pools: [wrapPool(wrapped, 'HYPE'), ...pools] },
  block: { number: 0n, hash: toHex(0, 32), timestamp: 0n, gasPrice: 1n, gasLimit: 3_000_000n },
  tokens: [wrapped, asset, share].map((address) => ({ address, decimals: 18 })),
})
/** What the guard makes of pools, at a block of a market that also has other pools. */
const judge = async (
  pools: readonly Pool[],
  by: PriceGuard | undefined = guard,
  { others = routes, rates, block = 0n }: At = {},
) => {
  const header = { number: block, hash: node.head().hash } as Header
  const snapshot = snapshotOf([...others, ...pools])
  const { setAside, ...rest } = await withinPrices(client, pools, {
    ...{ guard: by, header, snapshot, rates },
  })
  return { ...rest, codes: setAside.map(({ code }) => code), setAside }
}
type At = {
  readonly others?: readonly Pool[]
  readonly rates?: RateHistory | undefined
  readonly block?: bigint
}

describe('a pool with a rate', () => {
  it('is served up to so much above the deepest other route, in either direction', async () => {
    for (const ppm of [1_000_000n, 1_009_000n, 991_000n]) {
      expect(await judge([vault(ppm)])).toMatchObject({ codes: [], pools: [vault(ppm)] })
    }
    for (const ppm of [1_011_000n, 989_000n]) {
      expect(await judge([vault(ppm)])).toMatchObject({ codes: ['POOL_OFF_MARKET'], pools: [] })
    }
    const { setAside } = await judge([vault(1_020_000n)])
    expect(setAside).toEqual([
      {
        ...{ id: share, venue: 'vaults', code: 'POOL_OFF_MARKET' },
        message: `pool ${share} is 2.00 % off the order book or the deepest other route`,
      },
    ])
  })

  it('is served where there is no other route, and held against the one of its block', async () => {
    const others = routes.slice(0, 1)
    expect((await judge([vault(2_000_000n)], guard, { others })).codes).toEqual([])
    expect((await judge([vault(1_000_000n)])).codes).toEqual([])
    const moved = [routes[0]!, pair(0x12, share, [E24, 2n * E24])]
    expect((await judge([vault(1_000_000n)], guard, { others: moved })).codes).toEqual([
      'POOL_OFF_MARKET',
    ])
  })

  it('is not held against a route that anybody can make: one with a pool of less than 5,000 units', async () => {
    const units = [asset]
    const others = (depth: bigint) => [routes[0]!, pair(0x12, share, [depth, 2n * depth])]
    // A pair pays a hundredth of what it has until its price falls by 2 %.
    const codes = async (depth: bigint) =>
      (await judge([vault(1_000_000n)], { ...guard, units }, { others: others(depth) })).codes
    expect(await codes(100_000n * 10n ** 18n)).toEqual([])
    expect(await codes(1_000_000n * 10n ** 18n)).toEqual(['POOL_OFF_MARKET'])
  })

  it('asks no order book of a token that has none, nor tells that one was compared', async () => {
    expect(await judge([vault(1_000_000n)])).not.toHaveProperty('pricesCompared')
    const other = { ...guard, books: [{ token: asset, asset: 10_107 }] }
    await judge([vault(1_000_000n)], other)
    expect(node.asked).toEqual([])
    await judge([vault(1_000_000n)], { ...other, units: [share] })
    expect(node.asked.map(({ method }) => method)).toContain('eth_call')
  })

  it('whose shares lost worth is aside for the kept blocks, with the size of the step', async () => {
    const first = await judge([vault(1_000_000n)], guard, { block: 100n })
    const at = (block: bigint) => ({ rates: first.rates, block })
    expect((await judge([vault(999_910n)], guard, at(101n))).codes).toEqual([])
    const stepped = await judge([vault(999_000n)], guard, at(101n))
    expect(stepped).toMatchObject({ codes: ['POOL_RATE_STEPPED'], pools: [] })
    expect(stepped.setAside[0]!.message).toContain('moved by 0.10 % within 64 blocks')
    const later = { rates: stepped.rates, block: 165n }
    expect((await judge([vault(999_000n)], guard, later)).codes).toEqual([])
  })
})

describe('a pool that is sampled', () => {
  it('is served although no book answers, and then not compared', async () => {
    const { codes, pricesCompared } = await judge([sampled])
    expect([codes, pricesCompared]).toEqual([[], false])
  })

  it('is compared with a book', async () => {
    node.mine(({ contracts }) => {
      contracts.set(toHex(0x80e, 20), () => words(1_020_000, 1_030_000))
      contracts.set(toHex(0x80b, 20), () => words(0, 0, 5, 0))
      contracts.set(toHex(0x80c, 20), () => words(0, 0, 0, 0, 0, 0, 2, 0, 0))
      return []
    })
    const by = { ...guard, books: [{ token: asset, asset: 10_107 }], units: [wrapped] }
    expect(await judge([sampled], by)).toMatchObject({
      ...{ codes: ['POOL_OFF_MARKET'], pricesCompared: true },
    })
    expect(await judge([sampled], { ...by, maxOffBps: 300 })).toMatchObject({
      ...{ codes: [], pricesCompared: true },
    })
  })
})

describe('a source', () => {
  const sources = new Set([asset])

  it.each([
    ['of a rate', { ratedFrom: [asset, source] }],
    ['of all rates', { ratedBy: source }],
  ])('%s must be listed, if there is a list', async (_, more) => {
    const pool = vault(1_000_000n, more)
    const { codes, setAside, rates } = await judge([pool], { ...guard, sources })
    expect(codes).toEqual(['POOL_RATE_UNLISTED'])
    expect(setAside[0]!.message).toContain(`takes a rate from ${source}, which is not listed`)
    expect(rates!.size).toBe(0)
    expect((await judge([pool])).codes).toEqual([])
    const listed = { ...guard, sources: new Set([asset, source]) }
    expect((await judge([pool], listed)).codes).toEqual([])
  })

  it('is all that is looked at with a distance of 0', async () => {
    const pools = [vault(2_000_000n), sampled]
    const off = await judge(pools, { ...guard, sources, maxOffBps: 0 })
    expect(off).toEqual({ pools, codes: [], setAside: [] })
    const pool = vault(1_000_000n, { ratedBy: source })
    const { codes } = await judge([pool], { ...guard, sources, maxOffBps: 0 })
    expect(codes).toEqual(['POOL_RATE_UNLISTED'])
  })
})

it('looks at nothing without a guard', async () => {
  const pools = [vault(2_000_000n, { ratedBy: source }), sampled]
  const { pools: kept, setAside } = await withinPrices(client, pools, {
    ...{ guard: undefined, header: {} as Header, snapshot: snapshotOf(pools) },
  })
  expect([kept, setAside]).toEqual([pools, []])
})

it('reads pools again in each block that may be back in any', () => {
  const stays = (code: Parameters<typeof staysAside>[0]['code']) =>
    staysAside({ id: share, venue: 'vaults', code, message: '' })
  expect([stays('POOL_OFF_MARKET'), stays('POOL_RATE_STEPPED')]).toEqual([false, false])
  expect([stays('POOL_RATE_UNLISTED'), stays('POOL_EMPTY')]).toEqual([true, true])
})
