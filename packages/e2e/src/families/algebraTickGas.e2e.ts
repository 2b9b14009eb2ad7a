/**
 * Gas of Algebra pools where a swap crosses many ticks: for the first time, which writes two fee growths
 * that were zero for each, and again. The estimate is held against the gas limit that the node needs.
 */
import type { Venue } from '@braid-swap/chain'
import { routerAbi } from '@braid-swap/contracts'
import { poolCallerAbi } from '@braid-swap/contracts/testing'
import {
  type Address,
  type AlgebraIntegralPool,
  type AlgebraV1Pool,
  applySwap,
  concatHex,
  type Direction,
  encodeSwap,
  estimateGas,
  ROUTER_GAS,
} from '@braid-swap/core'
import {
  algebraCreateCall,
  algebraV1PoolCalls,
  algebraV1PoolOf,
  createRandom,
  deployAlgebraIntegral,
  deployAlgebraV1,
  deployRouter,
  readAlgebraPool,
} from '@braid-swap/devnet'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { approveAll, type BareChain, readPools, startBareChain } from './differential/bareChain.js'
import {
  algebraIntegralSpare,
  algebraV1Spare,
  type GasSample,
  spareOverUsedTicks,
} from './differential/tickGas.js'

const SPACING = 60
const TICKS = 60
const GAS = 15_000_000n
const SMALL = 10n ** 15n
const LARGE = 23n * 10n ** 18n
const DOWN: Direction = { in: 0, out: 1 }
const UP: Direction = { in: 1, out: 0 }

type Tested = { readonly bare: BareChain; readonly router: Address } & Created
type Created = { readonly id: Address; readonly venue: Venue }

/** A pool at price 1 whose ticks on either side have different liquidity and were never crossed. */
async function mintLadder({ chain }: BareChain, caller: Address, pool: Address): Promise<void> {
  const mint = (lower: number, upper: number, liquidity: bigint) => ({
    ...{ label: 'mint', from: chain.deployer, to: caller, gas: GAS },
    data: encodeFunctionData({
      ...{ abi: poolCallerAbi, functionName: 'mintAlgebra' },
      args: [pool, lower, upper, liquidity],
    }),
  })
  await chain.execute([mint(-887_220, 887_220, 10n ** 20n)])
  const end = (TICKS + 1) * SPACING
  for (let i = 1; i <= TICKS; i++) {
    const at = i * SPACING
    await chain.execute([mint(at, end, 10n ** 18n), mint(-end, -at, 10n ** 18n)])
  }
}

/** Swaps by the router, and says what gas that needed. */
async function swap(
  { bare, router, id, venue }: Tested,
  direction: Direction,
  amountIn: bigint,
): Promise<GasSample> {
  const { chain, trader: from } = bare
  const pools = await readPools(chain, venue)
  const pool = pools.find((one) => one.id === id) as AlgebraIntegralPool | AlgebraV1Pool
  const [tokenIn, tokenOut] = direction.in === 0 ? pool.tokens : pool.tokens.toReversed()
  // No intermediates; one hop from token 0 to token 1 with all that is held.
  const program = concatHex('0x000001000000', encodeSwap(pool, direction))
  const data = encodeFunctionData({
    ...{ abi: routerAbi, functionName: 'swap' },
    args: [tokenIn!, amountIn, tokenOut!, 1n, from, 2n ** 40n, program],
  })
  const { tick } = applySwap(pool, direction, amountIn)
  const crossed = pool.ticks.filter(({ index }) => index <= pool.tick !== index <= tick).length
  const call = { account: from, to: router, data, gas: GAS }
  const need = Number(await chain.client.estimateGas(call))
  await chain.execute([{ label: 'swap', from, to: router, gas: GAS, data }])
  return { model: ROUTER_GAS + estimateGas(pool, direction, amountIn), need, crossed }
}

const families: readonly (readonly [string, number, (bare: BareChain) => Promise<Created>])[] = [
  [
    'Algebra Integral',
    algebraIntegralSpare,
    async ({ chain, tokens: [a, b] }) => {
      const algebra = await deployAlgebraIntegral(chain, 'ladder')
      const { positionManager, venue } = algebra
      const ends = { from: chain.deployer, positionManager }
      const tokens = [a!, b!] as const
      await chain.execute([algebraCreateCall(ends, { tokens, sqrtPriceX96: 1n << 96n })])
      const { address: id } = await readAlgebraPool(chain, algebra, { tokens, feePpm: 0 })
      return { id, venue }
    },
  ],
  [
    'Algebra V1',
    algebraV1Spare,
    async ({ chain, tokens: [a, b] }) => {
      const algebra = await deployAlgebraV1(chain, 'ladder-v1')
      const tokens = [a!, b!] as const
      const spec = { tokens, sqrtPriceX96: 1n << 96n, positions: [] }
      await chain.execute(algebraV1PoolCalls(chain, algebra, spec))
      const { address: id } = algebraV1PoolOf(algebra, { tokens, feePpm: 0 })
      return { id, venue: algebra.venue }
    },
  ],
]

describe.each(families)('gas of %s where a swap crosses many ticks', (name, spare, create) => {
  let tested: Tested

  beforeAll(async () => {
    const bare = await startBareChain(createRandom(1), 2)
    const { router } = await deployRouter(bare.chain)
    const { router: caller } = await deployAlgebraV1(bare.chain, 'caller')
    tested = { bare, router, ...(await create(bare)) }
    for (const spender of [router, caller]) await approveAll(bare, spender)
    await mintLadder(bare, caller, tested.id)
    // Fees in both tokens, so that both growths are written at every tick.
    for (const direction of [UP, DOWN, UP]) await swap(tested, direction, SMALL)
  }, 120_000)
  afterAll(() => tested?.bare.chain.stop())

  it('needs no more than the estimate if all are crossed for the first time', async () => {
    const sample = await swap(tested, UP, LARGE)
    console.log(`${name}, ticks crossed first: ${JSON.stringify(sample)}`)
    expect(sample.crossed).toBeGreaterThan(30)
    expect(sample.model).toBeGreaterThanOrEqual(sample.need)
    expect(sample.model).toBeLessThan(1.1 * sample.need)
  })

  it('needs a known part less if all were crossed before', async () => {
    await swap(tested, DOWN, LARGE)
    const sample = await swap(tested, UP, (LARGE * 9n) / 10n)
    console.log(`${name}, ticks crossed again: ${JSON.stringify(sample)}`)
    expect(sample.crossed).toBeGreaterThan(30)
    expect(sample.model).toBeGreaterThanOrEqual(sample.need)
    expect(spareOverUsedTicks(sample)).toBeLessThanOrEqual(spare)
  })
})
