// A pool whose owner moves its rate between quote and fill: off unless its source is listed, and set aside when it steps.
import {
  advanceMarket,
  createClient,
  loadSnapshot,
  type Market,
  readHeader,
} from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import { parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createStableSwaps,
  deployCurveDoubles,
  stableSwapCall,
} from '../families/doubles/stableSwaps.js'
import { type Served, startTrustWorld, type TrustWorld } from './trustWorld.js'

const HYPE = 10n ** 18n
/** What WHYPE is worth in money, at the honest pair too. */
const RATE = 40n * HYPE
/** The rate after a push of half a percent, the slippage of the orders. */
const PUSHED = (RATE * 9_950n) / 10_000n
/** Blocks after the first step in which orders may still be quoted by the pool. */
const OUT_WITHIN = 1
const KEPT_BLOCKS = 64

let world: TrustWorld
let venue: Awaited<ReturnType<typeof deployCurveDoubles>>
let pool: Address

/** A Curve pool of WHYPE and money that is cheaper than the honest pair, with an oracle of its owner. */
beforeAll(async () => {
  world = await startTrustWorld()
  const { chain } = world
  venue = await deployCurveDoubles(chain)
  pool = await createPool(10_000n)
})
afterAll(() => world?.stop())

/** A pool of an amount of whole WHYPE, and as much money as it is worth. */
async function createPool(amount: bigint): Promise<Address> {
  const { chain, money } = world
  const [id] = await createStableSwaps(chain, venue, [
    {
      ...{ tokens: [chain.wrappedNative, money], isNg: true, aPrecision: 100n, A: 200_00n },
      ...{ balances: [amount * HYPE, 40n * amount * HYPE], rates: [HYPE, HYPE] },
      // One basis point.
      ...{ fee: 1_000_000n, offpegFeeMultiplier: 0n, adminFee: 0n },
    },
  ])
  await push(RATE, id)
  return id!
}

const push = (rate: bigint, of = pool) =>
  world.chain.execute([
    stableSwapCall(world.chain.deployer, of, { functionName: 'setRate', args: [0n, rate] }),
  ])

const balance = () =>
  world.chain.client.readContract({
    abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
    ...{ address: world.money, functionName: 'balanceOf', args: [world.wallet] },
  })

/**
 * An order of 1 HYPE whose fill comes after `between`: what it lost of its quote, in basis points; `undefined` if it
 * was not filled.
 */
async function lossBps(
  api: Served,
  between: () => Promise<unknown> = async () => {},
  amount = HYPE,
) {
  const { status, body } = await api.swap({ slippage: '0.5', amount: `${amount}` })
  expect([status, body.message]).toEqual([200, undefined])
  const before = await balance()
  await between()
  if (!(await api.passes(body))) return undefined
  const quoted = BigInt(body.dstAmount)
  return Number(((quoted - ((await balance()) - before)) * 10_000n) / quoted)
}

describe('a Curve pool with an oracle that its owner pushes between quote and fill', () => {
  it('is off while its oracle is not listed, and costs an order nothing', async () => {
    const api = await world.serve([], { venues: [venue] })
    try {
      expect(api.setAside()).toEqual({ POOL_RATE_UNLISTED: 1 })
      expect(api.serves(pool)).toBe(false)
      expect(await lossBps(api, () => push(PUSHED))).toBe(0)
    } finally {
      await api.stop()
      await push(RATE)
    }
  }, 60_000)

  it('costs the orders after the first block at most 5 bp if it is listed, and returns when it is still', async () => {
    const api = await world.serve([], { venues: [venue], rateSources: [pool] })
    try {
      expect(api.serves(pool)).toBe(true)
      // The one that was quoted before the first push, all of it through the pool.
      const first = await lossBps(api, () => push(PUSHED))
      expect(first).toBeGreaterThan(40)
      expect(first).toBeLessThanOrEqual(50)
      for (let block = 0; block < OUT_WITHIN && api.serves(pool); block++) await api.mine()
      expect(api.setAside()).toEqual({ POOL_RATE_STEPPED: 1 })
      for (let turn = 0; turn < 6; turn++) {
        const loss = await lossBps(api, () => push(turn % 2 === 0 ? RATE : PUSHED))
        expect(loss).toBeLessThanOrEqual(5)
        expect(api.serves(pool)).toBe(false)
      }
      await push(RATE)
      const most = KEPT_BLOCKS + 8
      for (let block = 0; block < most && !api.serves(pool); block++) await api.mine()
      expect(api.serves(pool)).toBe(true)
    } finally {
      await api.stop()
    }
  }, 120_000)

  it('is set aside as well if it creeps, a fraction of the step in each block', async () => {
    const api = await world.serve([], { venues: [venue], rateSources: [pool] })
    try {
      let rate = RATE
      let moved = 0
      for (; moved < 10 && api.serves(pool); moved++) {
        rate -= RATE / 10_000n
        await push(rate)
        await api.mine()
      }
      // Twice its fee of 1 bp are let pass.
      expect(moved).toBeLessThanOrEqual(3)
      expect(api.serves(pool)).toBe(false)
    } finally {
      await api.stop()
      await push(RATE)
    }
  }, 60_000)

  it('is held against its earlier rates where the whole market was loaded again', async () => {
    const { chain, v2 } = world
    const client = createClient(chain.rpcUrl)
    const guard = { books: [], units: [], maxOffBps: 100 }
    const venues = [v2.venue, venue]
    const asideIn = ({ state: { setAside } }: Market) =>
      setAside.filter(({ id }) => id === pool).map(({ code }) => code)
    const load = () => loadSnapshot(client, { venues, guard, wrappedNative: chain.wrappedNative })
    const id = await chain.client.snapshot()
    await chain.mine()
    const before = await load()
    // Another branch without a common block, so that nothing of the market can be kept.
    await chain.client.revert({ id })
    await push(PUSHED)
    await chain.mine()
    const head = { header: await readHeader(client, 'latest'), receivedAtMs: 0 }
    expect(asideIn(await load())).toEqual([])
    const after = await advanceMarket(client, before, { head, venues, guard })
    expect(asideIn(after)).toEqual(['POOL_RATE_STEPPED'])
    await push(RATE)
  }, 60_000)

  it('costs an order that goes mostly elsewhere its share of the slippage, or is not filled', async () => {
    // Nine hundredths of an order of 100 HYPE fit into the pool.
    const small = await createPool(9n)
    for (const [pushed, wanted] of [
      // Without a least rate the hop would take 17 basis points of the order, which its floor allows.
      [(RATE * 97n) / 100n, undefined],
      [PUSHED + RATE / 5_000n, expect.toSatisfy((loss: number) => loss > 0 && loss <= 5)],
    ] as const) {
      const api = await world.serve([], { venues: [venue], rateSources: [small] })
      try {
        expect(api.serves(small)).toBe(true)
        expect(await lossBps(api, () => push(pushed, small), 100n * HYPE)).toEqual(wanted)
      } finally {
        await api.stop()
        await push(RATE, small)
      }
    }
  }, 60_000)
})
