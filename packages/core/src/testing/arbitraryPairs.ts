import fc from 'fast-check'
import type { CamelotPool } from '../pools/camelot/index.js'
import type { SolidlyPool } from '../pools/solidly/index.js'
import { anyBits, TOKEN_A, TOKEN_B } from './arbitrary.js'

const base = {
  id: fc.constant('0x0000000000000000000000000000000000000abc' as const),
  venue: fc.constant('test-pairs'),
  tokens: fc.constant([TOKEN_A, TOKEN_B] as const),
}
// Above 18 decimals a stable pair may revert even one wei below its quote; no loader returns such a
// pair.
const anyUnit = fc.constantFrom(1n, 10n ** 6n, 10n ** 8n, 10n ** 18n)
const anyUnits = fc.tuple(anyUnit, anyUnit)
const anyConstantProduct = {
  reserves: fc.tuple(anyBits(1, 111), anyBits(1, 111)),
  units: anyUnits,
}

// From ten tokens to ten billion, one side up to a thousand times the other. With less on a side,
// the pair's own rounding exceeds a wei, and it reverts for many of its quotes and for one wei
// less.
const anyStable = fc
  .record({
    units: anyUnits,
    tokens: fc.double({ min: 1, max: 10, noNaN: true }),
    ratio: fc.double({ min: 0, max: 3, noNaN: true }),
    isFirstLess: fc.boolean(),
    digits: fc.tuple(anyBits(1, 20), anyBits(1, 20)),
  })
  .map(({ units, tokens, ratio, isFirstLess, digits }) => {
    const reserve = (side: 0 | 1, count: number) => {
      const wei = BigInt(Math.floor(count * 1e6)) * units[side]
      return wei / 1_000_000n + digits[side]
    }
    const [less, more] = [10 ** tokens, 10 ** (tokens + ratio)]
    const counts = isFirstLess ? ([less, more] as const) : ([more, less] as const)
    return { units, reserves: [reserve(0, counts[0]), reserve(1, counts[1])] as const }
  })

const anyReserves = fc.oneof(
  fc.record({ stable: fc.constant(false), state: fc.record(anyConstantProduct) }),
  fc.record({ stable: fc.constant(true), state: anyStable }),
)

/**
 * A pair of each variant: volatile of any depth, or stable of any depth that its maths supports.
 */
export const anySolidlyPool: fc.Arbitrary<SolidlyPool> = fc
  .record({
    ...base,
    family: fc.constant('solidly' as const),
    variant: fc.constantFrom('solidly' as const, 'ramses' as const, 'velodrome' as const),
    reserved: anyReserves,
    feePpm: fc.integer({ min: 0, max: 50_000 }),
  })
  .map(({ reserved: { stable, state }, ...pool }) => ({ ...pool, stable, ...state }))

const anyPercent = fc.integer({ min: 0, max: 2_000 })

/**
 * A pair with two fees: constant-product of any depth, or stable of any depth its maths supports.
 */
export const anyCamelotPool: fc.Arbitrary<CamelotPool> = fc
  .record({
    ...base,
    family: fc.constant('camelot' as const),
    reserved: anyReserves,
    feePercents: fc.tuple(anyPercent, anyPercent),
    ownerFeeShare: fc.integer({ min: 0, max: 100_000 }),
  })
  .map(({ reserved: { stable, state }, ...pool }) => ({
    ...pool,
    stableSwap: stable,
    reserves: state.reserves,
    precisionMultipliers: state.units,
  }))

/**
 * Wei by which a pair's integers may differ from its formula: one wei of the output, two of the
 * input (rounding of fee and scaling), one that the pair withholds, and for a stable pair the error
 * of its invariant and of the last Newton step.
 *
 * The invariant's products are floored in units of 10⁻¹⁸ tokens. With s the larger reserve, its
 * error is below 4·(s² + s + 1) units before and after the swap. Dividing by ∂k/∂y = x³ + 3xy²
 * gives the error of y. Newton ends within 2 units.
 */
export function pairSlack(
  pair: {
    readonly isStable: boolean
    readonly reserveIn: bigint
    readonly reserveOut: bigint
    readonly unitIn: bigint
    readonly unitOut: bigint
    readonly spot: number
    readonly out: (amountIn: number) => number
  },
  amountIn: bigint,
): number {
  if (!pair.isStable) return 2 + 2 * pair.spot
  const X = Number(pair.reserveIn) / Number(pair.unitIn)
  const Y = Number(pair.reserveOut) / Number(pair.unitOut)
  const rounding = 2 + 2 * pair.spot
  const x = X + Number(amountIn) / Number(pair.unitIn)
  const y = Math.max(0, Y - pair.out(Number(amountIn)) / Number(pair.unitOut))
  const floors = [Math.max(X, Y), Math.max(x, y)].map((s) => 4 * (s * s + s + 1))
  const invariant = (floors[0]! + floors[1]!) / (x ** 3 + 3 * x * y * y)
  return rounding + ((invariant + 4) * Number(pair.unitOut)) / 1e18
}
