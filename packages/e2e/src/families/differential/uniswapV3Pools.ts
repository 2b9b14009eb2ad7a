import { poolCallerAbi } from '@braid-swap/contracts/testing'
import type { Address } from '@braid-swap/core'
import {
  getSqrtPriceAtTick,
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
  type UniswapV3Pool,
} from '@braid-swap/core/families'
import {
  type Call,
  type DevnetPool,
  deployPancakeV3,
  deployUniswapV3,
  fullRange,
  type PancakeV3,
  type Random,
  type UniswapV3,
} from '@braid-swap/devnet'
import { createPancakePool, createV3Pool } from '@braid-swap/devnet/testing'
import { encodeFunctionData } from 'viem'
import { positionManagerAbi, v3PoolAbi } from './abis.js'
import { approveAll, type BareChain, pairsOf, readPools } from './bareChain.js'
import { anyBelow, anyBits, anyInteger } from './integers.js'

/** Unmodified V3 pools of every shape, and their states as loaded. */
export type ConcentratedPools = BareChain & {
  readonly deployment: UniswapV3 | PancakeV3
  readonly pools: readonly UniswapV3Pool[]
}

/** The widest possible spacing: one step then goes half way through the range of prices. */
const WIDE_SPACING = 16_383

/** Tick spacings by fee, besides the factory's own 500, 3000 and 10000, up to its limits. */
const EXTRA_FEES = {
  0: 8,
  1: 1,
  100: 1,
  250: 5,
  2500: 50,
  5000: WIDE_SPACING,
  30000: 600,
  100000: 2000,
  999999: 16_383,
}

const POSITION_GAS = 1_000_000n
const POSITIONS = 7

/** `count` pools at prices of the whole range; their positions overlap, leave gaps or are dust. */
export async function createConcentratedPools(
  bare: BareChain,
  count: number,
): Promise<ConcentratedPools> {
  const v3 = await deployUniswapV3(bare.chain, 'bytecode-v3', EXTRA_FEES)
  await approveAll(bare, v3.positionManager)
  return createPools(bare, count, {
    deployment: v3,
    createEmpty: (spec) => createV3Pool(bare.chain, v3, { ...spec, positions: [] }),
    mintCalls: (pool, tick) => mintCalls({ ...bare, v3 }, pool, tick),
  })
}

/** The same with PancakeSwap's pools, whose factory enables some of these fees itself. */
export async function createPancakePools(
  bare: BareChain,
  count: number,
): Promise<ConcentratedPools> {
  const { 100: _, 2500: __, ...extraFees } = EXTRA_FEES
  const pancake = await deployPancakeV3(bare.chain, 'bytecode-pancake', extraFees)
  return createPools(bare, count, {
    deployment: pancake,
    createEmpty: (spec) => createPancakePool(bare.chain, pancake, { ...spec, positions: [] }),
    mintCalls: (pool, tick) => callerMintCalls({ ...bare, pancake }, pool, tick),
  })
}

type Maker = {
  readonly deployment: UniswapV3 | PancakeV3
  readonly createEmpty: (spec: {
    readonly tokens: readonly [Address, Address]
    readonly feePpm: number
    readonly sqrtPriceX96: bigint
  }) => Promise<DevnetPool>
  /** Mints that the pool may refuse, because their liquidity is zero or too large. */
  readonly mintCalls: (pool: DevnetPool, tick: number) => readonly Call[]
}

async function createPools(
  bare: BareChain,
  count: number,
  { deployment, createEmpty, mintCalls }: Maker,
): Promise<ConcentratedPools> {
  const { chain, random } = bare
  await approveAll(bare, deployment.router)
  const { tickSpacings, venue } = deployment
  const fees = Object.keys(tickSpacings).map(Number)
  const pairs = pairsOf(bare.tokens)
  for (let i = 0; i < count; i++) {
    const feePpm = fees[i % fees.length]!
    const tokens = pairs[Math.floor(i / fees.length) % pairs.length]!
    const isWide = tickSpacings[feePpm] === WIDE_SPACING
    const tick = isWide ? anyEnd(random) : anyTick(random)
    const pool = await createEmpty({ tokens, feePpm, sqrtPriceX96: anyPriceIn(random, tick) })
    await chain.send(mintCalls(pool, tick))
    await chain.mine()
  }
  const pools = (await readPools(chain, venue)) as readonly UniswapV3Pool[]
  return { ...bare, deployment, pools: pools.filter(({ ticks }) => ticks.length > 0) }
}

/** Mints random positions. A third of the pools have a protocol fee, which changes no price. */
function mintCalls(
  { chain, random, v3 }: BareChain & { readonly v3: UniswapV3 },
  pool: DevnetPool,
  tick: number,
): readonly Call[] {
  const spacing = v3.tickSpacings[pool.feePpm]!
  const { deployer: from } = chain
  const calls: Call[] = Array.from({ length: anyInteger(random, 1, POSITIONS) }, () => ({
    label: 'mint',
    from,
    to: v3.positionManager,
    data: mintData(pool, from, anyRange(random, tick, spacing), anyAmounts(random, spacing)),
    gas: POSITION_GAS,
  }))
  if (random.next() < 1 / 3) {
    const args = [anyInteger(random, 4, 10), anyInteger(random, 4, 10)] as const
    const data = encodeFunctionData({ abi: v3PoolAbi, functionName: 'setFeeProtocol', args })
    calls.push({ label: 'keep fees', from, to: pool.address, data, gas: POSITION_GAS })
  }
  return calls
}

function callerMintCalls(
  { chain, random, pancake }: BareChain & { readonly pancake: PancakeV3 },
  pool: DevnetPool,
  tick: number,
): readonly Call[] {
  const spacing = pancake.tickSpacings[pool.feePpm]!
  return Array.from({ length: anyInteger(random, 1, POSITIONS) }, () => {
    const [tickLower, tickUpper] = anyRange(random, tick, spacing)
    return {
      label: 'mint',
      ...{ from: chain.deployer, to: pancake.router, gas: POSITION_GAS },
      data: encodeFunctionData({
        abi: poolCallerAbi,
        functionName: 'mint',
        args: [pool.address, tickLower, tickUpper, anyBits(random, 1, 118)],
      }),
    }
  })
}

function mintData(
  { tokens: [token0, token1], feePpm: fee }: DevnetPool,
  recipient: Address,
  [tickLower, tickUpper]: readonly [number, number],
  [amount0Desired, amount1Desired]: readonly [bigint, bigint],
) {
  return encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'mint',
    args: [
      {
        ...{ token0, token1, fee, tickLower, tickUpper, amount0Desired, amount1Desired, recipient },
        ...{ amount0Min: 0n, amount1Min: 0n, deadline: 1n << 64n },
      },
    ],
  })
}

/** A price near 1, near 10^±12 (6 against 18 decimals), at either end of the range, or anywhere. */
function anyTick(random: Random): number {
  const decimals = 276_324
  return random.pick([
    () => anyInteger(random, -100, 100),
    () => anyInteger(random, -20_000, 20_000),
    () => decimals + anyInteger(random, -5_000, 5_000),
    () => -decimals + anyInteger(random, -5_000, 5_000),
    () => anyEnd(random),
    () => anyEnd(random),
    () => anyInteger(random, MIN_TICK, MAX_TICK - 1),
  ])()
}

/** Near the lowest or the highest price. */
function anyEnd(random: Random): number {
  return random.pick([MIN_TICK, MAX_TICK - 3_001]) + anyInteger(random, 0, 3_000)
}

/** A √price within a tick: the first, the second, the last, or any. */
function anyPriceIn(random: Random, tick: number): bigint {
  const first = getSqrtPriceAtTick(tick)
  const next = getSqrtPriceAtTick(tick + 1)
  const price = random.pick([first, first + 1n, next - 1n, first + anyBelow(random, next - first)])
  const highest = MAX_SQRT_PRICE_X96 - 1n
  return price < MIN_SQRT_PRICE_X96 ? MIN_SQRT_PRICE_X96 : price > highest ? highest : price
}

/** A range around the price, beside it, next to it, far away, anywhere, or the full range. */
function anyRange(random: Random, tick: number, spacing: number): readonly [number, number] {
  const full = fullRange(spacing)
  const most = full.tickUpper / spacing
  const here = Math.floor(tick / spacing)
  const width = () => Math.ceil(2 ** (random.next() * 13))
  const [a, b] = random.pick([
    () => [here - width(), here + width()],
    () => [here + width(), here + width() + width()],
    () => [here - width(), here - width() - width()],
    () => [here, here + 1],
    () => [here - 1, here],
    () => [here + 1, here + 1 + width()],
    () => [anyInteger(random, -most, most), anyInteger(random, -most, most)],
    () => [-most, most],
  ])() as [number, number]
  const clamp = (at: number) => Math.min(most, Math.max(-most, at))
  const [low, high] = a < b ? [clamp(a), clamp(b)] : [clamp(b), clamp(a)]
  return low < high ? [low * spacing, high * spacing] : [full.tickLower, full.tickUpper]
}

/**
 * Wei of each token for a position: mostly of any size, sometimes dust. With the widest spacing, the
 * liquidity may come near a tick's limit, the only case in which products exceed 256 bits.
 */
function anyAmounts(random: Random, spacing: number): readonly [bigint, bigint] {
  if (random.next() < 0.2) {
    return [BigInt(anyInteger(random, 1, 3)), BigInt(anyInteger(random, 1, 3))]
  }
  const [least, most] = spacing === WIDE_SPACING ? [150, 184] : [20, 130]
  return [anyBits(random, least, most), anyBits(random, least, most)]
}
