import { describeReferenceVectors } from '@braid-swap/vectors/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../hex.js'
import { anyBits } from '../../testing/arbitrary.js'
import {
  anyEclpBalancerV3Pool,
  anyStableBalancerV3Pool,
  anyWeightedBalancerV3Pool,
} from '../../testing/arbitraryBalancerV3.js'
import { describeConformance } from '../../testing/conformance.js'
import { itHasClosePieces, itIsNowhereBelowPool } from '../../testing/itHasCurve.js'
import { liveBalances } from './exact.js'
import * as balancerV3 from './index.js'

const options = { numRuns: Number(process.env['BRAID_FUZZ_RUNS'] ?? 200), endOnFailure: true }

type Pool = balancerV3.BalancerV3Pool
const { applySwap, getAmountOut, toCurve } = balancerV3

const units = (pool: Pool) =>
  pool.decimalScalingFactors.map((scale, k) => (Number(scale) * Number(pool.tokenRates[k]!)) / 1e18)

/** The highest price of any direction, in the common unit. */
function highestPrice(pool: Pool): number {
  const unit = units(pool)
  const prices = pool.tokens.flatMap((_, i) =>
    pool.tokens.flatMap((_, o) =>
      i === o ? [] : [(toCurve(pool, { in: i, out: o }).price(0) * unit[o]!) / unit[i]!],
    ),
  )
  return Math.max(1, ...prices)
}

// A wei of the input, the least trade and the error that the contract assumes of a power, each at the
// highest price, and a wei of the output.
function wei(pool: Pool): number {
  const unit = units(pool)
  const price = highestPrice(pool)
  const [coarse, fine] = [Math.max(1, ...unit), Math.min(...unit)]
  const most = Math.max(...liveBalances(pool).map(Number))
  const ofPower = pool.form.kind === 'weighted' ? most * 2e-14 : 0
  return 3 + (price * (8 * coarse + 2 * Number(pool.minTradeAmount)) + ofPower) / fine
}
const tolerance = { relative: 1e-9, wei: (pool: unknown) => wei(pool as Pool) }

describeConformance(
  'balancerV3 with weights',
  balancerV3,
  anyWeightedBalancerV3Pool,
  anyBits(1, 110),
  tolerance,
)
describeConformance(
  'balancerV3 with the stable formula',
  balancerV3,
  anyStableBalancerV3Pool,
  anyBits(1, 110),
  { ...tolerance, fewerRuns: 250 },
)

type Vector = {
  readonly swaps: readonly {
    readonly swapKind: number
    readonly amountRaw: string
    readonly tokenIn: string
    readonly tokenOut: string
    readonly outputRaw: string
  }[]
  readonly pool: {
    readonly poolAddress: Address
    readonly tokens: readonly Address[]
    readonly scalingFactors: readonly string[]
    readonly weights?: readonly string[]
    readonly amp?: string
    readonly swapFee: string
    readonly aggregateSwapFee: string
    readonly balancesLiveScaled18: readonly string[]
    readonly tokenRates: readonly string[]
  }
}

/** The pool of a vector, which has live balances only: the least raw ones that give them. */
function poolOf({ pool }: Vector): Pool {
  const { scalingFactors, tokenRates, weights, amp, tokens } = pool
  return {
    ...{ family: 'balancerV3', id: pool.poolAddress, venue: 'reference' },
    tokens: tokens.map((token) => token.toLowerCase() as Address),
    balancesRaw: pool.balancesLiveScaled18.map((live, k) => {
      const unit = BigInt(scalingFactors[k]!) * BigInt(tokenRates[k]!)
      return (BigInt(live) * 10n ** 18n + unit - 1n) / unit
    }),
    decimalScalingFactors: scalingFactors.map(BigInt),
    tokenRates: tokenRates.map(BigInt),
    ...{ swapFee: BigInt(pool.swapFee), aggregateSwapFee: BigInt(pool.aggregateSwapFee) },
    minTradeAmount: 1_000_000n,
    form: weights
      ? { kind: 'weighted', normalizedWeights: weights.map(BigInt) }
      : { kind: 'stable', amp: BigInt(amp!) },
  }
}

describeReferenceVectors('balancerV3 reference vectors', (readVector) => {
  it.each([
    ['balancer-v3/weighted.json', 2],
    ['balancer-v3/stable.json', 1],
  ])('are reproduced to the wei: %s', (file, count) => {
    const vector = readVector(file) as Vector
    const pool = poolOf(vector)
    expect(liveBalances(pool).map(String)).toEqual(vector.pool.balancesLiveScaled18)
    const index = (token: string) => pool.tokens.indexOf(token.toLowerCase() as Address)
    const outputs = vector.swaps.map(({ tokenIn, tokenOut, amountRaw }) =>
      getAmountOut(
        pool,
        { in: index(tokenIn), out: index(tokenOut) },
        BigInt(amountRaw),
      ).toString(),
    )
    expect(outputs).toEqual(vector.swaps.map(({ outputRaw }) => outputRaw))
    expect(outputs.length).toBe(count)
  })

  it('with a hook are of pools that the loader refuses', () => {
    const vector = readVector('balancer-v3/stable-surge-hook.json') as Vector
    // Without the hook's fee, the static fee pays more than the chain did.
    const pool = poolOf(vector)
    const outputs = vector.swaps.map(({ tokenIn, amountRaw }) => {
      const from = pool.tokens.indexOf(tokenIn.toLowerCase() as Address)
      return getAmountOut(pool, { in: from, out: 1 - from }, BigInt(amountRaw))
    })
    expect(outputs.map(String)).not.toEqual(vector.swaps.map(({ outputRaw }) => outputRaw))
  })
})

const E18 = 10n ** 18n
const weighted: Pool = {
  ...{ family: 'balancerV3', id: '0x0000000000000000000000000000000000000abc', venue: 'test' },
  tokens: ['0x0a', '0x0b', '0x0c'] as Address[],
  balancesRaw: [1_000n * E18, 2_000n * 10n ** 6n, 3_000n * E18],
  decimalScalingFactors: [1n, 10n ** 12n, 1n],
  tokenRates: [E18, E18, 11n * 10n ** 17n],
  ...{ swapFee: 3n * 10n ** 15n, aggregateSwapFee: E18 / 2n, minTradeAmount: 1_000_000n },
  form: { kind: 'weighted', normalizedWeights: [E18 / 2n, E18 / 4n, E18 / 4n] },
}
const stable: Pool = {
  ...weighted,
  balancesRaw: [1_000n * E18, 1_200n * 10n ** 6n, 900n * E18],
  form: { kind: 'stable', amp: 200_000n },
}

describe('balancerV3 edge cases', () => {
  it('takes at most 30 % of the balance of the token in, after the fee, and an eighth in a stable pool', () => {
    const most = (1_000n * E18 * 3n) / 10n
    const free = { ...weighted, swapFee: 0n }
    expect(getAmountOut(free, { in: 0, out: 1 }, most)).toBeGreaterThan(0n)
    expect(getAmountOut(free, { in: 0, out: 1 }, most + 1n)).toBe(0n)
    expect(getAmountOut(weighted, { in: 0, out: 1 }, most + E18 / 10n)).toBeGreaterThan(0n)
    expect(getAmountOut(stable, { in: 0, out: 1 }, 10n * most)).toBeGreaterThan(0n)
  })

  it('refuses trades below the least amount, in and out', () => {
    const free = { ...weighted, swapFee: 0n }
    expect(getAmountOut(free, { in: 0, out: 2 }, 999_999n)).toBe(0n)
    expect(getAmountOut({ ...free, minTradeAmount: 1n }, { in: 0, out: 2 }, 999_999n)).not.toBe(0n)
    const dear = { ...free, balancesRaw: [1_000_000n * E18, 2_000n * 10n ** 6n, 3n * E18] }
    expect(getAmountOut(dear, { in: 0, out: 2 }, 100_000_000n)).toBe(0n)
  })

  it('keeps the least balances of newer pools, and rounds their balance of the token in up', () => {
    const form = { kind: 'weighted', normalizedWeights: [E18 / 2n, E18 / 4n, E18 / 4n] } as const
    const with_ = (least: readonly bigint[]): Pool => ({
      ...weighted,
      form: { ...form, minTokenBalances: least },
    })
    const swap = [{ in: 0, out: 2 }, 100n * E18] as const
    expect(getAmountOut(with_([1n, 1n, 1n]), ...swap)).toBeLessThanOrEqual(
      getAmountOut(weighted, ...swap),
    )
    const left = (3_300n * E18 * 90n) / 100n
    expect(getAmountOut(with_([1n, 1n, left]), ...swap)).toBe(0n)
    expect(getAmountOut(with_([1_000n * E18 + 2n, 1n, 1n]), ...swap)).toBe(0n)
    expect(getAmountOut(with_([1_000n * E18 + 1n, 1n, 1n]), ...swap)).toBeGreaterThan(0n)
  })

  it('refuses what would leave one balance 10,000 times another in a stable pool', () => {
    const direction = { in: 0, out: 1 }
    const { limit } = toCurve(stable, direction)
    expect(getAmountOut(stable, direction, BigInt(Math.floor(limit)))).toBeGreaterThan(0n)
    expect(getAmountOut(stable, direction, BigInt(Math.ceil(limit * (1 + 1e-6))))).toBe(0n)
  })

  it('takes the protocol’s part of the fee out of the balance of the token in', () => {
    const amountIn = 10n * E18
    const after = applySwap(weighted, { in: 0, out: 1 }, amountIn)
    const fee = (amountIn * 3n) / 1_000n
    expect(after.balancesRaw[0]).toBe(1_000n * E18 + amountIn - fee / 2n)
    const all = applySwap({ ...weighted, aggregateSwapFee: 0n }, { in: 0, out: 1 }, amountIn)
    expect(all.balancesRaw[0]).toBe(1_000n * E18 + amountIn)
  })

  it('rounds a rate up for the output, unless it is whole', () => {
    const pool = { ...weighted, minTradeAmount: 0n, swapFee: 0n }
    const at = (rate: bigint) =>
      getAmountOut({ ...pool, tokenRates: [E18, E18, rate] }, { in: 0, out: 2 }, 100n * E18)
    expect(at(3n * E18)).toBeGreaterThan(0n)
    // The output at a rate r is the balance times a constant, so only the rounding of r can show.
    expect(at(E18 + 1n)).toBeLessThan(at(E18))
  })

  it('refuses a balance above 128 bits, raw or live', () => {
    const huge = 1n << 127n
    const wide: Pool = { ...weighted, balancesRaw: [huge * 2n - 2n, 10n ** 20n, huge] }
    expect(getAmountOut(wide, { in: 0, out: 2 }, E18)).toBe(0n)
    // The live balance of token 1 is 10¹² times the raw one.
    const live: Pool = { ...weighted, balancesRaw: [huge, 1n << 90n, huge] }
    expect(getAmountOut(live, { in: 0, out: 2 }, E18)).toBe(0n)
  })

  it('moves the amplification linearly in time, with a floor', () => {
    const ramp = { startValue: 100_000n, startTime: 1_000n, endTime: 1_700n }
    const at = (quotedAt: bigint) =>
      getAmountOut(
        { ...stable, form: { kind: 'stable', amp: 200_000n, ramp }, quotedAt },
        ...([{ in: 0, out: 2 }, 500n * E18] as const),
      )
    const asOf = (amp: bigint) =>
      getAmountOut({ ...stable, form: { kind: 'stable', amp } }, { in: 0, out: 2 }, 500n * E18)
    expect(at(1_000n)).toBe(asOf(100_000n))
    expect(at(1_333n)).toBe(asOf(147_571n))
    expect(at(1_700n)).toBe(asOf(200_000n))
  })

  it('pays nothing for a state of another block, nor without a balance', () => {
    const sampled = { ...weighted, sampledAt: 5n, quotedAt: 6n }
    expect(getAmountOut(sampled, { in: 0, out: 2 }, E18)).toBeGreaterThan(0n)
    expect(getAmountOut({ ...sampled, quotedAt: 7n }, { in: 0, out: 2 }, E18)).toBe(0n)
    expect(toCurve({ ...sampled, quotedAt: 7n }, { in: 0, out: 2 }).limit).toBe(0)
    const missing = { ...stable, balancesRaw: [0n, 1_200n * 10n ** 6n, 900n * E18] }
    expect(getAmountOut(missing, { in: 1, out: 2 }, 10n ** 6n)).toBe(0n)
  })
})

describe('the curve of a balancerV3 pool', () => {
  const anyPool = fc.oneof(
    ...[anyWeightedBalancerV3Pool, anyStableBalancerV3Pool, anyEclpBalancerV3Pool],
  )

  itIsNowhereBelowPool(anyPool, options)

  itHasClosePieces(anyPool, { ...options, balancesOf: ({ balancesRaw }) => balancesRaw })
})
