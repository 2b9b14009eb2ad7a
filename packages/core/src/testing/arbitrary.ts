import fc from 'fast-check'
import type { Address } from '../hex.js'
import type { Tick } from '../math/concentrated.js'
import { getSqrtPriceAtTick, getTickAtSqrtPrice, MAX_TICK, MIN_TICK } from '../math/tickMath.js'
import type { AlgebraIntegralPool, VolatilityOracle } from '../pools/algebraIntegral/index.js'
import { writeTimepoint } from '../pools/algebraIntegral/oracle.js'
import type { AlgebraV1Pool } from '../pools/algebraV1/index.js'
import { addVolume, writeVolumeTimepoint } from '../pools/algebraV1/oracle.js'
import type { VolumeOracle } from '../pools/algebraV1/pool.js'
import type { Erc4626Pool } from '../pools/erc4626/index.js'
import type { UniswapV2Pool } from '../pools/uniswapV2/index.js'
import type { Oracle, UniswapV3Pool } from '../pools/uniswapV3/index.js'
import { writeObservation } from '../pools/uniswapV3/oracle.js'

export const TOKEN_A: Address = '0x00000000000000000000000000000000000000aa'
export const TOKEN_B: Address = '0x00000000000000000000000000000000000000bb'
const POOL_ID: Address = '0x0000000000000000000000000000000000000abc'

/** An integer with a uniform number of bits, so that small and huge values are equally frequent. */
export function anyBits(minBits: number, maxBits: number): fc.Arbitrary<bigint> {
  return fc
    .integer({ min: minBits, max: maxBits })
    .chain((bits) =>
      fc.bigInt({ min: bits === 0 ? 0n : 1n << BigInt(bits - 1), max: (1n << BigInt(bits)) - 1n }),
    )
}

/** A pair of any depth that fits a uint112, with any fee up to 10 %. */
export const anyUniswapV2Pool: fc.Arbitrary<UniswapV2Pool> = fc.record({
  family: fc.constant('uniswapV2' as const),
  id: fc.constant(POOL_ID),
  venue: fc.constant('test-v2'),
  tokens: fc.constant([TOKEN_A, TOKEN_B] as const),
  reserves: fc.tuple(anyBits(1, 111), anyBits(1, 111)),
  feePpm: fc.integer({ min: 0, max: 100_000 }),
})

const anyFee = fc.constantFrom(
  { feePpm: 100, tickSpacing: 1 },
  { feePpm: 500, tickSpacing: 10 },
  { feePpm: 3000, tickSpacing: 60 },
  { feePpm: 10_000, tickSpacing: 200 },
)

/** Up to six positions around, beside or far from the price of a pool. */
const anyPositions = fc.array(
  fc.record({
    offset: fc.integer({ min: -5_000, max: 5_000 }),
    width: fc.integer({ min: 1, max: 20_000 }),
    liquidity: anyBits(1, 100),
  }),
  { minLength: 1, maxLength: 6 },
)

/** A pool at any price. */
export const anyUniswapV3Pool: fc.Arbitrary<UniswapV3Pool> = fc
  .record({
    fee: anyFee,
    tick: fc.integer({ min: -400_000, max: 400_000 }),
    positions: anyPositions,
  })
  .map(({ fee, tick, positions }) => toUniswapV3Pool(fee, tick, positions))

/** The function that makes such a pool at a given tick. */
export const anyUniswapV3PoolAt: fc.Arbitrary<(tick: number) => UniswapV3Pool> = fc
  .record({ fee: anyFee, positions: anyPositions })
  .map(
    ({ fee, positions }) =>
      (tick) =>
        toUniswapV3Pool(fee, tick, positions),
  )

/** Such a pool with a dynamic fee: an oracle of any age, and settings up to every bound. */
export const anyDynamicFeePool: fc.Arbitrary<UniswapV3Pool> = fc
  .record({
    pool: anyUniswapV3Pool,
    steps: fc.array(
      fc.record({
        seconds: fc.integer({ min: 1, max: 300 }),
        move: fc.integer({ min: -900, max: 900 }),
      }),
      { minLength: 1, maxLength: 12 },
    ),
    cardinality: fc.integer({ min: 1, max: 12 }),
    secondsAgo: fc.integer({ min: 2, max: 24 }),
    scalingFactor: anyBits(0, 40),
    capPpm: fc.integer({ min: 0, max: 500_000 }),
    wait: fc.bigInt({ min: 0n, max: 100n }),
  })
  .map(({ pool, steps, cardinality, secondsAgo, scalingFactor, capPpm, wait }) => {
    const first = { timestamp: 1_700_000_000, tickCumulative: 0n }
    const start = { index: 0, cardinality: 1, cardinalityNext: cardinality, older: 0 }
    let oracle: Oracle = { ...start, observations: [first] }
    let timestamp = BigInt(first.timestamp)
    for (const { seconds, move } of steps) {
      timestamp += BigInt(seconds)
      const tick = pool.tick + move
      oracle = writeObservation(oracle, { timestamp, tick, keepSeconds: secondsAgo })
    }
    const fee = { scalingFactor, capPpm, fallbackPpm: pool.feePpm, secondsAgo, oracle }
    return { ...pool, dynamicFee: fee, quotedAt: timestamp + wait }
  })

function toUniswapV3Pool(
  { feePpm, tickSpacing }: { feePpm: number; tickSpacing: number },
  tick: number,
  positions: readonly { offset: number; width: number; liquidity: bigint }[],
): UniswapV3Pool {
  const net = new Map<number, bigint>()
  let liquidity = 0n
  for (const position of positions) {
    const lower = Math.floor((tick + position.offset) / tickSpacing) * tickSpacing
    const upper = lower + Math.ceil(position.width / tickSpacing) * tickSpacing
    net.set(lower, (net.get(lower) ?? 0n) + position.liquidity)
    net.set(upper, (net.get(upper) ?? 0n) - position.liquidity)
    if (lower <= tick && tick < upper) liquidity += position.liquidity
  }
  const ticks: Tick[] = [...net]
    .filter(([, liquidityNet]) => liquidityNet !== 0n)
    .map(([index, liquidityNet]) => ({ index, liquidityNet }))
    .sort((a, b) => a.index - b.index)
  const sqrtPriceX96 = getSqrtPriceAtTick(tick) + 1n
  return {
    family: 'uniswapV3',
    id: POOL_ID,
    venue: 'test-v3',
    tokens: [TOKEN_A, TOKEN_B],
    feePpm,
    tickSpacing,
    sqrtPriceX96,
    tick: getTickAtSqrtPrice(sqrtPriceX96),
    liquidity,
    ticks,
  }
}

/** A pool with listed ticks and no fixed spacing, because the spacing may change. */
export const anyStaticIntegralPool: fc.Arbitrary<AlgebraIntegralPool> = anyUniswapV3Pool.map(
  ({ tickSpacing: _, dynamicFee: __, ...pool }) => ({ ...pool, family: 'algebraIntegral' }),
)

/**
 * Such a pool with an adaptive fee plugin after days of price moves, and settings up to every
 * bound.
 */
export const anyAdaptiveFeePool: fc.Arbitrary<AlgebraIntegralPool> = fc
  .record({
    pool: anyStaticIntegralPool,
    steps: fc.array(
      fc.record({
        seconds: anyBits(1, 17).map(Number),
        move: fc.integer({ min: -3_000, max: 3_000 }),
      }),
      { maxLength: 12 },
    ),
    config: fc.record({
      alpha1: fc.integer({ min: 0, max: 20_000 }),
      alpha2: fc.integer({ min: 0, max: 20_000 }),
      beta1: anyBits(0, 32).map(Number),
      beta2: anyBits(0, 32).map(Number),
      gamma1: fc.integer({ min: 1, max: 65_535 }),
      gamma2: fc.integer({ min: 1, max: 65_535 }),
      baseFee: fc.integer({ min: 0, max: 25_535 }),
    }),
    wait: fc.bigInt({ min: 0n, max: 200_000n }),
  })
  .map(({ pool, steps, config, wait }) => {
    let timestamp = 1_700_000_000
    const first = { timestamp, tickCumulative: 0n, volatilityCumulative: 0n }
    let oracle: VolatilityOracle = { averageTick: pool.tick, timepoints: [first] }
    for (const { seconds, move } of steps) {
      timestamp += seconds
      oracle = writeTimepoint(oracle, { timestamp, tick: pool.tick + move })
    }
    return { ...pool, quotedAt: BigInt(timestamp) + wait, adaptiveFee: { config, oracle } }
  })

/**
 * Such a pool with a sliding fee, at any distance from the tick of its newest timepoint. The block of
 * the quote is a later one, because a node answers for a block that has ended.
 */
export const anySlidingFeePool: fc.Arbitrary<AlgebraIntegralPool> = fc
  .record({
    pool: anyStaticIntegralPool,
    moved: fc.oneof(fc.integer({ min: -3_000, max: 3_000 }), fc.integer({ min: -2e6, max: 2e6 })),
    factor: fc.bigInt({ min: 0n, max: 2n << 96n }),
    baseFee: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 65_535 })),
    priceChangeFactor: fc.oneof(fc.constant(1_000), fc.integer({ min: 0, max: 65_535 })),
    wait: fc.integer({ min: 1, max: 200_000 }),
  })
  .map(({ pool, moved, factor, baseFee, priceChangeFactor, wait }) => {
    const tick = Math.min(MAX_TICK, Math.max(MIN_TICK, pool.tick - moved))
    const slidingFee = { baseFee, priceChangeFactor, factorX96: factor, timestamp: 1_000, tick }
    return { ...pool, quotedAt: BigInt(1_000 + wait), slidingFee }
  })

/** A pool of either version after days of price moves and swaps of any size, with any settings. */
export const anyAlgebraV1Pool: fc.Arbitrary<AlgebraV1Pool> = fc
  .record({
    pool: anyUniswapV3Pool,
    isFirstVersion: fc.boolean(),
    steps: fc.array(
      fc.record({
        seconds: anyBits(1, 17).map(Number),
        move: fc.integer({ min: -3_000, max: 3_000 }),
        amounts: fc.tuple(anyBits(0, 110), anyBits(0, 110)),
      }),
      { maxLength: 12 },
    ),
    config: fc.record({
      alpha1: fc.integer({ min: 0, max: 20_000 }),
      alpha2: fc.integer({ min: 0, max: 20_000 }),
      beta1: anyBits(0, 32).map(Number),
      beta2: anyBits(0, 32).map(Number),
      gamma1: fc.integer({ min: 1, max: 65_535 }),
      gamma2: fc.integer({ min: 1, max: 65_535 }),
      volumeBeta: anyBits(0, 32).map(Number),
      volumeGamma: fc.integer({ min: 1, max: 65_535 }),
      baseFee: fc.integer({ min: 0, max: 25_535 }),
    }),
    wait: fc.bigInt({ min: 0n, max: 200_000n }),
  })
  .map(({ pool, isFirstVersion, steps, config, wait }) => {
    let timestamp = 1_700_000_000
    const sums = {
      ...{ tickCumulative: 0n, volatilityCumulative: 0n, volumePerLiquidityCumulative: 0n },
    }
    let oracle: VolumeOracle = {
      ...{
        averageTick: pool.tick,
        volumePerLiquidityX64: 0n,
        timepoints: [{ timestamp, ...sums }],
      },
    }
    for (const { seconds, move, amounts } of steps) {
      timestamp += seconds
      oracle = writeVolumeTimepoint(oracle, { timestamp, tick: pool.tick + move })
      oracle = addVolume(oracle, { amounts, liquidity: pool.liquidity })
    }
    const { tickSpacing, dynamicFee: _, ...shape } = pool
    // Version 1.0 has a bit for every 60th tick.
    const ticksPerBit = isFirstVersion && tickSpacing === 60 ? 60 : 1
    const quotedAt = BigInt(timestamp) + wait
    return { ...shape, family: 'algebraV1', ticksPerBit, feeConfig: config, oracle, quotedAt }
  })

const anyVaultState = fc.oneof(
  fc.record({
    totalAssets: anyBits(0, 100),
    totalSupply: anyBits(0, 100),
    virtuals: fc.integer({ min: 0, max: 18 }).map((o) => [10n ** BigInt(o), 1n] as const),
  }),
  // Without virtual shares, the first depositor owns earlier donations, and the last redeemer can
  // start the vault again: both do profit. So only empty vaults and ones too large to empty occur.
  fc.record({
    totalAssets: anyBits(0, 120),
    totalSupply: anyBits(112, 120),
    virtuals: fc.constant([0n, 0n] as const),
  }),
  fc.constant({ totalAssets: 0n, totalSupply: 0n, virtuals: [0n, 0n] as const }),
)

/** A vault of any size and rate, with or without virtual shares, with or without a cap. */
export const anyErc4626Pool: fc.Arbitrary<Erc4626Pool> = fc
  .record({ state: anyVaultState, room: fc.option(anyBits(0, 110)) })
  .map(({ state, room }) => ({
    family: 'erc4626',
    id: TOKEN_B,
    venue: 'test-vaults',
    tokens: [TOKEN_A, TOKEN_B],
    ...state,
    ...(room === null ? {} : { assetCap: state.totalAssets + room }),
  }))
