import fc from 'fast-check'
import type { RatioFee, StepsFee, StexPool } from '../pools/stex/index.js'
import { anyBits, TOKEN_A, TOKEN_B } from './arbitrary.js'

// Large fees have thousands of steps, which are slow, so few samples have them.
const anyFeeBips = fc.oneof(
  { weight: 19, arbitrary: fc.integer({ min: 0, max: 60 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 4_999 }) },
)

const anyRatioFee: fc.Arbitrary<RatioFee> = fc
  .record({
    thresholds: fc.uniqueArray(
      anyBits(0, 32).map((bits) => Number(bits)),
      {
        minLength: 2,
        maxLength: 2,
      },
    ),
    fees: fc.tuple(anyFeeBips, anyFeeBips),
  })
  .map(({ thresholds, fees }) => {
    const [min, max] = thresholds.sort((a, b) => a - b)
    const [feeMin, feeMax] = fees.sort((a, b) => a - b)
    return {
      kind: 'ratio',
      ...{ minThresholdRatioBips: min!, maxThresholdRatioBips: max! },
      ...{ feeMinBips: feeMin!, feeMaxBips: feeMax! },
    }
  })

const anyStepsFee: fc.Arbitrary<StepsFee> = fc
  .record({
    min: anyBits(1, 104),
    range: anyBits(1, 104),
    steps: fc.array(anyFeeBips, { minLength: 1, maxLength: 8 }),
  })
  .map(({ min, range, steps }) => ({
    kind: 'steps',
    ...{ minThresholdToken1: min, maxThresholdToken1: min + range },
    stepsBips: steps.map((bips) => Math.max(1, bips)).sort((a, b) => a - b),
  }))

/** A pool of any size, rate and fee, read one second before the quote. */
export const anyStexPool: fc.Arbitrary<StexPool> = fc
  .record({
    reserves: fc.tuple(anyBits(0, 104), anyBits(0, 104)),
    rate: fc.oneof(
      fc.constant(10n ** 18n),
      fc.bigInt({ min: 10n ** 18n, max: 2n * 10n ** 18n }),
      anyBits(50, 70),
    ),
    unstaking: anyBits(0, 104),
    leavingPart: fc.integer({ min: 0, max: 100 }),
    lent: anyBits(0, 104),
    fee: fc.oneof(anyRatioFee, anyStepsFee),
    poolManagerFeeBips: fc.integer({ min: 0, max: 5_000 }),
  })
  .map(({ unstaking, leavingPart, lent, ...state }) => ({
    family: 'stex',
    id: '0x0000000000000000000000000000000000000abc',
    venue: 'test-stex',
    tokens: [TOKEN_A, TOKEN_B],
    ...state,
    amountToken0PendingUnstaking: unstaking,
    // At most what is staked: above that, the module reverts until enough comes in.
    amountToken1PendingLPWithdrawal:
      ((((state.reserves[0] + unstaking) * state.rate) / 10n ** 18n) * BigInt(leavingPart)) / 100n,
    amountToken1LendingPool: lent,
    isPaused: false,
    ...{ sampledAt: 1_700_000_000n, quotedAt: 1_700_000_001n },
  }))
