import { describeReferenceVectors } from '@braid-swap/vectors/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../hex.js'
import { anyBits } from '../../testing/arbitrary.js'
import { anyLiquidityBookPool, anyRestedLiquidityBookPool } from '../../testing/arbitraryBins.js'
import { describeConformance } from '../../testing/conformance.js'
import { quotasOf } from './bins.js'
import * as family from './index.js'
import type { LiquidityBookPool, StaticFeeParameters } from './pool.js'

const { getAmountOut, toCurve } = family
const [sellX, sellY] = [
  { in: 0, out: 1 },
  { in: 1, out: 0 },
] as const
const numRuns = Number(process.env['BRAID_FUZZ_RUNS'] ?? 300)
const options = { numRuns, endOnFailure: true }

// In each bin up to three wei of input are lost to rounding, at the price of the bin, and one of output.
const wei = (pool: LiquidityBookPool) =>
  ([0, 1] as const)
    .flatMap((i) => [...quotasOf(pool, i)].map(({ price }) => worth(price, i)))
    .reduce((sum, price) => sum + 1 + 4 * price, 2)
const worth = (price: bigint, i: 0 | 1) => {
  const spot = Number(price) / 2 ** 128
  return i === 0 ? spot : 1 / spot
}
// The pieces of a line are up to 10⁻⁸ above it.
const tolerance = {
  ...{ relative: 2e-8, fewerRuns: 200 },
  wei: (pool: object) => wei(pool as LiquidityBookPool),
}
const amounts = anyBits(1, 112)

describeConformance('liquidityBook at rest', family, anyRestedLiquidityBookPool, amounts, tolerance)

const HULL = 'the fee may fall from bin to bin faster than the price, and the curve is the hull'
describeConformance('liquidityBook', family, anyLiquidityBookPool, amounts, tolerance, {
  'has a curve that matches the integers': HULL,
  'charges at least both stated fees for a round trip of one wei': HULL,
})

describe('the curve of a pair whose fee falls from bin to bin', () => {
  it('is nowhere below the integers', () => {
    fc.assert(
      fc.property(anyLiquidityBookPool, fc.boolean(), amounts, (pool, isX, amountIn) => {
        const direction = isX ? sellX : sellY
        const paid = Number(getAmountOut(pool, direction, amountIn))
        expect(paid).toBeLessThanOrEqual(
          toCurve(pool, direction).out(Number(amountIn)) + 1e-9 * paid,
        )
      }),
      options,
    )
  })

  it('says that it is a hull', () => {
    const staticFee = {
      ...{ baseFactor: 0n, filterPeriod: 30n, decayPeriod: 600n, reductionFactor: 5_000n },
      ...{ variableFeeControl: 2_000_000n, protocolShare: 0n, maxVolatilityAccumulator: 600_000n },
    }
    const bins = [-2, -1, 0].map((offset) => ({
      ...{ id: (1 << 23) + offset, reserves: [0n, 10n ** 20n] as const },
    }))
    const pool: LiquidityBookPool = {
      ...{ family: 'liquidityBook', id: '0xabc', venue: 'test', tokens: ['0xa', '0xb'] },
      ...{ binStep: 10, activeId: 1 << 23, bins, staticFee, quotedAt: 10n },
      variableFee: {
        ...{ volatilityAccumulator: 200_000n, volatilityReference: 0n },
        ...{ idReference: (1 << 23) - 20, timeOfLastUpdate: 9n },
      },
    }
    expect(toCurve(pool, sellX).isHull).toBe(true)
    const rested = { ...pool, quotedAt: 700n }
    expect(toCurve(rested, sellX).isHull).toBe(undefined)
    expect(getAmountOut(rested, sellX, 10n ** 20n)).toBeGreaterThan(
      getAmountOut(pool, sellX, 10n ** 20n),
    )
  })
})

type Row = {
  readonly address: Address
  readonly tokenX: Address
  readonly tokenY: Address
  readonly blockTimestamp: number
  readonly binStep: number
  readonly activeId: number
  readonly staticFeeParameters: { readonly [K in keyof StaticFeeParameters]: number }
  readonly variableFeeParameters: {
    readonly volatilityAccumulator: number
    readonly volatilityReference: number
    readonly idReference: number
    readonly timeOfLastUpdate: number
  }
  readonly bins: readonly {
    readonly id: number
    readonly reserveX: string
    readonly reserveY: string
  }[]
  readonly swaps: readonly {
    readonly kind?: 'exactOut'
    readonly swapForY: boolean
    readonly amountIn: string
    readonly amountOut: string
  }[]
}

function poolOf(row: Row): LiquidityBookPool {
  const { idReference, ...memory } = row.variableFeeParameters
  const inIntegers = <T extends object>(record: T) =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [key, BigInt(value)]))
  return {
    ...{ family: 'liquidityBook', id: row.address, venue: 'reference' },
    ...{ tokens: [row.tokenX, row.tokenY], binStep: row.binStep, activeId: row.activeId },
    bins: row.bins.map(({ id, reserveX, reserveY }) => ({
      ...{ id, reserves: [BigInt(reserveX), BigInt(reserveY)] as const },
    })),
    staticFee: inIntegers(row.staticFeeParameters) as unknown as StaticFeeParameters,
    variableFee: { ...inIntegers(memory), idReference } as never,
    quotedAt: BigInt(row.blockTimestamp),
  }
}

describeReferenceVectors('liquidityBook reference vectors', (readVector) => {
  it('are reproduced to the wei, exact output rows as the least input', () => {
    const rows = readVector('liquidity-book/v2.1-swaps.json') as readonly Row[]
    let compared = 0
    for (const row of rows) {
      const pool = poolOf(row)
      for (const { kind, swapForY, amountIn, amountOut } of row.swaps) {
        const direction = swapForY ? { in: 0, out: 1 } : { in: 1, out: 0 }
        const paid = getAmountOut(pool, direction, BigInt(amountIn))
        if (kind === 'exactOut') expect(paid).toBeGreaterThanOrEqual(BigInt(amountOut))
        else expect(paid).toBe(BigInt(amountOut))
        compared += 1
      }
    }
    expect(compared).toBe(5)
  })
})
