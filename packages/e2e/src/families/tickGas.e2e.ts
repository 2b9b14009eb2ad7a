/**
 * Gas of a swap that goes far: over many ticks of Algebra pools for the first time, which writes two fee growths
 * that were zero for each, and again; and over many empty words of a bitmap of ticks. The estimate is held against
 * the gas limit that the node needs.
 */
import type { Venue } from '@braid-swap/chain'
import { poolCallerAbi } from '@braid-swap/contracts/testing'
import { type Address, type Direction, encodeRouterCall, type Hex } from '@braid-swap/core'
import { concatHex, ROUTER_GAS, ZERO_ADDRESS } from '@braid-swap/core/advanced'
import {
  type AlgebraIntegralPool,
  type AlgebraV1Pool,
  applySwap,
  encodeSwap,
  estimateGas,
  type UniswapV3Pool,
  type UniswapV4Pool,
} from '@braid-swap/core/families'
import {
  algebraCreateCall,
  algebraV1PoolCalls,
  algebraV1PoolOf,
  createRandom,
  deployAlgebraIntegral,
  deployAlgebraV1,
  deployPancakeV3,
  deployRouter,
  deployUniswapV3,
  readAlgebraPool,
} from '@braid-swap/devnet'
import { createPancakePool, createV3Pool } from '@braid-swap/devnet/testing'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { approveAll, type BareChain, readPools, startBareChain } from './differential/bareChain.js'
import {
  algebraIntegralSpare,
  algebraV1Spare,
  type GasSample,
  spareOverUsedTicks,
} from './differential/tickGas.js'
import {
  approvalsOf,
  changeCall,
  deployUniswapV4,
  idOf,
  uniswapV4Call,
} from './doubles/uniswapV4.js'

const SPACING = 60
const TICKS = 60
const GAS = 15_000_000n
const SMALL = 10n ** 15n
const LARGE = 23n * 10n ** 18n
const DOWN: Direction = { in: 0, out: 1 }
const UP: Direction = { in: 1, out: 0 }

type Tested = {
  readonly bare: BareChain
  readonly router: Address
  readonly executor: Address
} & Created
type Created = { readonly id: Hex; readonly venue: Venue }
type Ticked = AlgebraIntegralPool | AlgebraV1Pool | UniswapV3Pool | UniswapV4Pool

/** Mints liquidity of an Algebra pool over all prices, and for a ladder with ticks on either side never crossed. */
async function mintAlgebra(
  { chain }: BareChain,
  pool: Hex,
  of: { readonly caller: Address; readonly isLadder: boolean },
): Promise<void> {
  const mint = (lower: number, upper: number, liquidity: bigint) => ({
    ...{ label: 'mint', from: chain.deployer, to: of.caller, gas: GAS },
    data: encodeFunctionData({
      ...{ abi: poolCallerAbi, functionName: 'mintAlgebra' },
      args: [pool, lower, upper, liquidity],
    }),
  })
  await chain.execute([mint(-887_220, 887_220, 10n ** 20n)])
  if (!of.isLadder) return
  const end = (TICKS + 1) * SPACING
  for (let i = 1; i <= TICKS; i++) {
    const at = i * SPACING
    await chain.execute([mint(at, end, 10n ** 18n), mint(-end, -at, 10n ** 18n)])
  }
}

/** Swaps by the router, and says what gas that needed. */
async function swap(
  { bare, router, executor, id, venue }: Tested,
  direction: Direction,
  amountIn: bigint,
): Promise<GasSample> {
  const { chain, trader: from } = bare
  const pools = await readPools(chain, venue)
  const pool = pools.find((one) => one.id === id) as Ticked
  const [tokenIn, tokenOut] = direction.in === 0 ? pool.tokens : pool.tokens.toReversed()
  // No intermediates; one hop from token 0 to token 1 with all that is held.
  const program = concatHex('0x000001000000', encodeSwap(pool, direction))
  const data = encodeRouterCall({
    ...{ tokenIn: tokenIn!, amountIn, tokenOut: tokenOut!, minAmountOut: 1n, receiver: from },
    ...{ deadline: 2n ** 40n, executor, program },
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
    const { router, executor } = await deployRouter(bare.chain)
    const { router: caller } = await deployAlgebraV1(bare.chain, 'caller')
    tested = { bare, router, executor, ...(await create(bare)) }
    for (const spender of [router, caller]) await approveAll(bare, spender)
    await mintAlgebra(bare, tested.id, { caller, isLadder: true })
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

const RANGE = { tickLower: -887_220, tickUpper: 887_220, liquidity: 10n ** 20n }
const AT_ONE = 1n << 96n
/** Ticks of a word at a spacing of 60; Algebra V1 has rows of its own and Integral a tree. */
const WORD = 256 * SPACING

/** A pool at price 1 with one position over all prices, so that a swap meets nothing but empty words. */
const empty: typeof families = [
  [
    'Uniswap V3',
    0,
    async ({ chain, tokens: [a, b] }) => {
      const v3 = await deployUniswapV3(chain, 'words')
      const spec = { tokens: [a!, b!] as const, feePpm: 3000, sqrtPriceX96: AT_ONE }
      const { address: id } = await createV3Pool(chain, v3, { ...spec, positions: [RANGE] })
      return { id, venue: v3.venue }
    },
  ],
  [
    'PancakeSwap V3',
    0,
    async ({ chain, tokens: [a, b] }) => {
      const pancake = await deployPancakeV3(chain, 'words-pancake', { 3000: SPACING })
      const spec = { tokens: [a!, b!] as const, feePpm: 3000, sqrtPriceX96: AT_ONE }
      const { address: id } = await createPancakePool(chain, pancake, {
        ...spec,
        positions: [RANGE],
      })
      return { id, venue: pancake.venue }
    },
  ],
  [
    'Uniswap V4',
    0,
    async ({ chain, tokens: [a, b] }) => {
      const v4 = await deployUniswapV4(chain)
      const { deployer: from } = chain
      await chain.execute(approvalsOf(v4, from, [a!, b!]))
      const ends = { currency0: a!, currency1: b! }
      const key = { ...ends, fee: 3000, tickSpacing: SPACING, hooks: ZERO_ADDRESS }
      const change = { lower: -887_220, upper: 887_220, liquidity: RANGE.liquidity, salt: 1n }
      await chain.execute([
        uniswapV4Call(from, v4.manager, { functionName: 'initialize', args: [key, AT_ONE] }),
        changeCall(from, v4, { key, change, value: 0n }),
      ])
      return { id: idOf(key), venue: v4.venue }
    },
  ],
  ...families.map(
    ([name, spare, create]) =>
      [
        name,
        spare,
        async (bare: BareChain) => {
          const created = await create(bare)
          const { router: caller } = await deployAlgebraV1(bare.chain, 'caller')
          await approveAll(bare, caller)
          await mintAlgebra(bare, created.id, { caller, isLadder: false })
          return created
        },
      ] as const,
  ),
]

describe.each(empty)('gas of %s where a swap enters many empty words', (name, spare, create) => {
  let tested: Tested

  beforeAll(async () => {
    const bare = await startBareChain(createRandom(1), 2)
    const { router, executor } = await deployRouter(bare.chain)
    tested = { bare, router, executor, ...(await create(bare)) }
    await approveAll(bare, router)
    for (const direction of [UP, DOWN, UP]) await swap(tested, direction, SMALL)
  }, 120_000)
  afterAll(() => tested?.bare.chain.stop())

  it.each([0, 1, 3, 8, 20, 30])(
    'needs at most the estimate, which is at most 15 % above, over %i words',
    async (words) => {
      // From near price 1 to the middle of a word, and back.
      const far = 1.004 * Number(RANGE.liquidity) * 1.0001 ** (((words + 0.5) * WORD) / 2)
      for (const direction of [UP, DOWN]) {
        const { model, need } = await swap(tested, direction, BigInt(Math.round(far)))
        console.log(`${name}, ${words} words: ${model} told, ${need} needed`)
        expect(model).toBeGreaterThanOrEqual(need)
        expect(model - spare).toBeLessThanOrEqual(1.15 * need)
      }
    },
  )
})
