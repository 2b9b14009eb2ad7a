/**
 * Gas of a swap whose bins lie apart, in other words of each level of the pair's tree: the estimate is held against
 * what the transaction uses.
 */
import type { Venue } from '@braid-swap/chain'
import { type Address, type Direction, encodeRouterCall } from '@braid-swap/core'
import { concatHex, ROUTER_GAS } from '@braid-swap/core/advanced'
import { encodeSwap, estimateGas, type LiquidityBookPool } from '@braid-swap/core/families'
import { createRandom, deployRouter } from '@braid-swap/devnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { approveAll, type BareChain, readPools, startBareChain } from './differential/bareChain.js'
import { createBinsDoubles, deployBinsDoubles } from './doubles/bins.js'

const UNIT = 10n ** 18n
const MIDDLE = 1 << 23
/** Distances of bins: neighbours, those in other words of a level, and in other words of the next. */
const BINS = [1, 2, 3, 4, 300, 700, 1_100, 1_500, 70_000, 140_000, 210_000]
const DOWN: Direction = { in: 0, out: 1 }
const UP: Direction = { in: 1, out: 0 }

let bare: BareChain
let router: Address
let executor: Address
let venue: Venue
beforeAll(async () => {
  bare = await startBareChain(createRandom(1), 2, [18])
  ;({ router, executor } = await deployRouter(bare.chain))
  await approveAll(bare, router)
  venue = await deployBinsDoubles(bare.chain)
  const below = BINS.toReversed().map((at) => ({ id: MIDDLE - at, reserves: [0n, UNIT] as const }))
  const above = BINS.map((at) => ({ id: MIDDLE + at, reserves: [UNIT, 0n] as const }))
  await createBinsDoubles(bare.chain, venue, [
    {
      ...{ tokens: [bare.tokens[0]!, bare.tokens[1]!], binStep: 1, activeId: MIDDLE },
      bins: [...below, { id: MIDDLE, reserves: [UNIT, UNIT] }, ...above],
      staticFee: {
        ...{ baseFactor: 10_000n, filterPeriod: 30n, decayPeriod: 600n, reductionFactor: 5_000n },
        ...{ variableFeeControl: 0n, protocolShare: 1_000n, maxVolatilityAccumulator: 350_000n },
      },
    },
  ])
}, 120_000)
afterAll(() => bare?.chain.stop())

/** Swaps by the router and takes it back; says what gas is told and was used. */
async function swap(pool: LiquidityBookPool, direction: Direction, amountIn: bigint) {
  const { chain, trader: from } = bare
  const [tokenIn, tokenOut] = direction.in === 0 ? pool.tokens : pool.tokens.toReversed()
  const program = concatHex('0x000001000000', encodeSwap(pool, direction))
  const data = encodeRouterCall({
    ...{ tokenIn: tokenIn!, amountIn, tokenOut: tokenOut!, minAmountOut: 1n, receiver: from },
    ...{ deadline: 2n ** 40n, executor, program },
  })
  const id = await chain.client.snapshot()
  const call = { label: 'swap', from, to: router, data, gas: 5_000_000n }
  const [receipt] = await chain.execute([call])
  await chain.client.revert({ id })
  const told = ROUTER_GAS + estimateGas(pool, direction, amountIn)
  return { told, used: Number(receipt!.gasUsed) }
}

it('is told, and a further bin at most 15 % above', async () => {
  const [pool] = (await readPools(bare.chain, venue)) as readonly LiquidityBookPool[]
  for (const direction of [DOWN, UP]) {
    const first = await swap(pool!, direction, UNIT / 2n)
    const room = first.told - first.used
    // Each bin takes about the amount that the one before took, times its price.
    let amountIn = UNIT
    for (const at of [0, ...BINS].slice(0, -1)) {
      const next = BINS[[0, ...BINS].indexOf(at)]!
      const ofNext = BigInt(Math.round(1.0001 ** next * 1e18))
      const { told, used } = await swap(pool!, direction, amountIn + amountIn / 100n + ofNext / 10n)
      expect.soft(told).toBeGreaterThanOrEqual(used)
      expect.soft(told - room).toBeLessThanOrEqual(1.15 * used)
      amountIn += ofNext + ofNext / 1_000n
    }
  }
})
