import { describeReferenceVectors } from '@braid-swap/vectors/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyBits, TOKEN_A, TOKEN_B } from '../../testing/arbitrary.js'
import { anySolidlyPool, pairSlack } from '../../testing/arbitraryPairs.js'
import { checked, describeArithmetic, required } from '../../testing/arithmetic.js'
import { describeConformance } from '../../testing/conformance.js'
import { describeEnds } from '../../testing/describeEnds.js'
import type { PoolBase } from '../family.js'
import * as solidly from './index.js'

const { applySwap, getAmountOut } = solidly
type SolidlyPool = solidly.SolidlyPool

function poolOf(state: Partial<SolidlyPool>): SolidlyPool {
  return {
    ...{ family: 'solidly', id: '0x0000000000000000000000000000000000000abc', venue: 'test' },
    ...{ tokens: [TOKEN_A, TOKEN_B], variant: 'solidly', stable: true, feePpm: 0 },
    ...{ reserves: [10n ** 24n, 10n ** 24n], units: [10n ** 18n, 10n ** 18n] },
    ...state,
  }
}

function slackOf(pool: PoolBase, amountIn: bigint): number {
  const p = pool as SolidlyPool
  const both = [
    [0, 1],
    [1, 0],
  ] as const
  const slacks = both.map(([i, o]) => {
    const curve = solidly.toCurve(p, { in: i, out: o })
    const sides = { reserveIn: p.reserves[i], reserveOut: p.reserves[o] }
    const units = { unitIn: p.units[i], unitOut: p.units[o] }
    const pair = { isStable: p.stable, ...sides, ...units, spot: curve.price(0), out: curve.out }
    return pairSlack(pair, amountIn)
  })
  return Math.max(...slacks)
}

describeConformance('solidly', solidly, anySolidlyPool, anyBits(1, 112), {
  relative: 1e-12,
  wei: slackOf,
})
describeEnds('solidly', solidly, anySolidlyPool, slackOf)

const WAD = 10n ** 18n

// Reserves of every size, the smallest of them beside the largest amounts.
const anyVolatilePair = fc
  .tuple(anySolidlyPool, anyBits(1, 255), anyBits(1, 255))
  .map(([pool, X, Y]): SolidlyPool => {
    const volatile = { ...pool, stable: false }
    if (pool.variant !== 'ramses') {
      // Factories report it in basis points.
      return { ...volatile, feePpm: pool.feePpm - (pool.feePpm % 100), reserves: [X, Y] }
    }
    return { ...volatile, reserves: [(X >> 144n) + 1n, (Y >> 144n) + 1n] }
  })

// `swap` and `getAmountOut` of velodrome-finance/contracts Pool.sol, and of Solidly's and Ramses's.
describeArithmetic('a volatile pair', solidly, anyVolatilePair, (pool, direction, amountIn) => {
  const [X, Y] = [pool.reserves[direction.in]!, pool.reserves[direction.out]!]
  const isRamses = pool.variant === 'ramses'
  const fee = (amount: bigint) => {
    if (isRamses) return checked(amount * BigInt(pool.feePpm)) / 1_000_000n
    return checked(amount * BigInt(pool.feePpm / 100)) / 10_000n
  }
  const x = amountIn - fee(amountIn)
  const amountOut = checked(checked(x * Y) / checked(X + x) - (isRamses ? 1n : 0n))
  required(amountOut > 0n && amountOut < Y)
  const [balanceIn, balanceOut] = [checked(X + amountIn), Y - amountOut]
  checked(balanceIn, isRamses ? 112n : 256n)
  // Fees that leave are counted per share in 18 decimals.
  if (!isRamses) checked(fee(amountIn) * WAD)
  required(checked((balanceIn - fee(amountIn)) * balanceOut) >= checked(X * Y))
  return amountOut
})

const KINDS = {
  kittenswapPair: 'solidly',
  shadowRamsesPair: 'ramses',
  velodromeV2Head: 'velodrome',
  velodromeV2Pre2024: 'velodrome',
} as const
type Kind = keyof typeof KINDS
type Row = Record<'decimals0' | 'decimals1' | 'reserve0' | 'reserve1' | 'amountIn', string> & {
  readonly stable: boolean
  readonly zeroForOne: boolean
}
type Executed = Row & { readonly feeBps: number } & Readonly<
    Record<Kind, { readonly amountOut: string; readonly kOk: boolean }>
  >
type Listed = Row &
  Readonly<Record<'fee' | 'feeDenominator', number>> & {
    readonly family: string
    readonly name: string
    readonly amountOut: string
  }

function poolOfRow(row: Row, state: Pick<SolidlyPool, 'variant' | 'feePpm'>): SolidlyPool {
  const reserves = [BigInt(row.reserve0), BigInt(row.reserve1)] as const
  const units = [BigInt(row.decimals0), BigInt(row.decimals1)] as const
  return poolOf({ stable: row.stable, reserves, units, ...state })
}

function directionOf({ zeroForOne }: Row) {
  return zeroForOne ? { in: 0, out: 1 } : { in: 1, out: 0 }
}

describeReferenceVectors('solidly reference vectors', (readVector) => {
  const executed = readVector('solidly/contract-executed.json') as readonly Executed[]
  for (const kind of Object.keys(KINDS) as Kind[]) {
    it(`pays what ${kind} pays in all ${executed.length} rows, a wei less if K refuses`, () => {
      for (const row of executed) {
        const pool = poolOfRow(row, { variant: KINDS[kind], feePpm: row.feeBps * 100 })
        const { amountOut, kOk } = row[kind]
        const wanted = BigInt(amountOut) - (kOk ? 0n : 1n)
        const got = getAmountOut(pool, directionOf(row), BigInt(row.amountIn))
        expect({ row, got }).toEqual({ row, got: wanted })
      }
    })
  }

  const listed = readVector('solidly/public-tables.json') as readonly Listed[]
  it.each(listed.map((row, i) => [`${i} ${row.family} ${row.name}`, row] as const))(
    'pays what is listed: %s',
    (_, row) => {
      const variant = row.family === 'velodrome-v2' ? 'velodrome' : 'solidly'
      const feePpm = (row.fee / row.feeDenominator) * 1e6
      const pool = poolOfRow(row, { variant, feePpm })
      expect(getAmountOut(pool, directionOf(row), BigInt(row.amountIn))).toBe(BigInt(row.amountOut))
    },
  )
})

describe('solidly edge cases', () => {
  const forward = { in: 0, out: 1 } as const

  it('returns 0 if a uint256 of the pair would overflow', () => {
    const huge = poolOf({ reserves: [10n ** 40n, 10n ** 40n] })
    expect(getAmountOut(huge, forward, 10n ** 30n)).toBe(0n)
    const volatile = poolOf({ stable: false, reserves: [1n << 120n, 1n << 120n] })
    expect(getAmountOut(volatile, forward, 1n << 137n)).toBe(0n)
    expect(getAmountOut(volatile, forward, 1n << 130n)).toBeGreaterThan(0n)
  })

  it('answers 0 where the fee of an input does not fit what the pair counts it in', () => {
    for (const variant of ['solidly', 'velodrome'] as const) {
      const pair = poolOf({ variant, stable: false, feePpm: 1_800, reserves: [1n << 100n, 8n] })
      for (const bits of [206n, 250n, 252n, 255n]) {
        expect(getAmountOut(pair, forward, 1n << bits)).toBe(0n)
        expect(solidly.toCurve(pair, forward).limit).toBeLessThan(2 ** 206)
      }
      expect(getAmountOut(pair, forward, 1n << 205n)).toBe(7n)
    }
  })

  it('refuses an input beyond a uint112 reserve', () => {
    const state = { stable: false, reserves: [1n << 111n, 1n << 111n] } as const
    const amountIn = 1n << 111n
    expect(getAmountOut(poolOf({ ...state, variant: 'ramses' }), forward, amountIn)).toBe(0n)
    expect(getAmountOut(poolOf(state), forward, amountIn)).toBeGreaterThan(0n)
  })

  it('keeps the fee in the reserves of ramses and moves it out of the others', () => {
    for (const [variant, kept] of [
      ['solidly', 999_000n],
      ['velodrome', 999_000n],
      ['ramses', 1_000_000n],
    ] as const) {
      const pool = poolOf({ variant, feePpm: 1000 })
      const after = applySwap(pool, forward, 1_000_000n)
      expect(after.reserves[0] - pool.reserves[0]).toBe(kept)
    }
  })

  it('floors the fee first, then the output', () => {
    const pool = poolOf({ stable: false, reserves: [1000n, 1_000_000n], feePpm: 3000 })
    // The fee on 100 is ⌊0.3⌋ = 0.
    expect(getAmountOut(pool, forward, 100n)).toBe((100n * 1_000_000n) / 1100n)
  })
})
