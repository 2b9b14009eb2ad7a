import { cryptoInvariantOf, MIN_D } from '../../math/cryptoSwap.js'
import { boundsOf } from '../../math/cryptoSwapBounds.js'
import {
  choice,
  type Fault,
  integer,
  list,
  optional,
  record,
  type Shape,
  uint,
} from '../../shape/shape.js'
import {
  address,
  faultOfCount,
  faultOfPowers,
  faultOfTime,
  faultOfTokens,
  firstFault,
  poolFields,
  powerOfTen,
  seconds,
} from '../poolFields.js'
import { isEmpty, scaledBalances } from './exact.js'
import type { CryptoRamp, CurveCryptoPool } from './pool.js'

// Each withdrawal since the last swap or deposit rounds up to a wei of each coin in favour of the pool,
// and a wei of the shares. So many are allowed, and a part of D for the shares and Newton's method.
const WITHDRAWALS = 10_000n
const D_PART = 10n ** 9n

const E10 = 10n ** 10n
const E18 = 10n ** 18n
// The wider bounds of all versions; those of the pool's own number are compared below.
const anyA = integer(boundsOf(3, '2.0.0').A.least, boundsOf(3, '2.0.0').A.most)
const { gamma } = boundsOf(2, '2.1.0')
const anyGamma = integer(gamma.least, gamma.most)
const fee = integer(0n, E10)

const ramp = record<CryptoRamp>(
  { initialA: anyA, initialGamma: anyGamma, initialTime: seconds, futureTime: uint(128) },
  ({ initialTime, futureTime }) =>
    futureTime >= initialTime
      ? undefined
      : { field: 'futureTime', got: `${futureTime}`, wanted: `not before ${initialTime}` },
)

/** The states that a pool of this family can have. */
export const shape: Shape<CurveCryptoPool> = record<CurveCryptoPool>(
  {
    ...poolFields,
    quotedAt: optional(seconds),
    family: choice('curveCrypto'),
    tokens: list(address, 2, 3),
    version: choice<CurveCryptoPool['version']>('2.0.0', '2.1.0'),
    balances: list(uint(256), 2, 3),
    precisions: list(powerOfTen, 2, 3),
    priceScales: list(integer(1n, 2n ** 128n - 1n), 1, 2),
    D: uint(128),
    A: anyA,
    gamma: anyGamma,
    ramp: optional(ramp),
    ...{ midFee: fee, outFee: fee, feeGamma: integer(1n, E18) },
    ...{ virtualPrice: uint(128), totalSupply: uint(128), xcpProfit: uint(128) },
    allowedExtraProfit: uint(128),
  },
  (pool) =>
    firstFault(
      faultOfTokens(pool),
      faultOfTime(pool, pool.ramp !== undefined),
      faultOfCount('balances', pool.balances, pool),
      faultOfCount('precisions', pool.precisions, pool),
      faultOfPowers('precisions', pool.precisions),
      faultOfCount('priceScales', [1n, ...pool.priceScales], pool),
      faultOfVersion(pool),
      faultOfBounds(pool),
    ) ?? faultOfInvariant(pool),
)

/** Tricrypto has one version. */
function faultOfVersion({ tokens, version }: CurveCryptoPool): Fault | undefined {
  if (tokens.length === 2 || version === '2.0.0') return undefined
  return { field: 'version', got: version, wanted: '2.0.0, because the pool has three coins' }
}

/** A and γ, at both ends of a ramp, within the bounds of pools with this many coins. */
function faultOfBounds({ tokens, version, A, gamma, ramp }: CurveCryptoPool): Fault | undefined {
  const bounds = boundsOf(tokens.length, version)
  const values = [
    ['A', A, bounds.A],
    ['gamma', gamma, bounds.gamma],
    ['ramp.initialA', ramp?.initialA ?? A, bounds.A],
    ['ramp.initialGamma', ramp?.initialGamma ?? gamma, bounds.gamma],
  ] as const
  const [field, value, range] =
    values.find(([, of, { least, most }]) => of < least || of > most) ?? []
  if (field === undefined) return undefined
  return { field, got: `${value}`, wanted: `${range!.least} to ${range!.most}` }
}

/**
 * The kept D against that of the balances: a pool that holds more pays the difference to the next swap.
 * Swaps and deposits compute D from the balances. Withdrawals lower both in proportion and round in favour
 * of the pool. Not compared if A or γ ever moved, because D then stays that of the last swap before the end
 * of the change, nor in a state that pays nothing.
 */
function faultOfInvariant(pool: CurveCryptoPool): Fault | undefined {
  const { D, ramp, balances } = pool
  if (ramp || D < MIN_D || isEmpty(pool)) return undefined
  const whole = invariantNear(pool, balances)
  const invariantWith = (more: bigint) => {
    const moved = balances.map((balance) => (balance + more > 0n ? balance + more : 0n))
    return invariantNear(pool, moved)
  }
  const isNear = (a: bigint, b: bigint) => a <= b + b / D_PART
  const isKept =
    whole !== undefined &&
    (isNear(whole, D) || isNear(invariantWith(-WITHDRAWALS) ?? 0n, D)) &&
    (isNear(D, whole) || isNear(D, invariantWith(WITHDRAWALS) ?? 0n))
  if (isKept) return undefined
  const wanted =
    whole === undefined
      ? 'an invariant of the balances'
      : `near ${whole}, the invariant of the balances`
  return { field: 'D', got: `${D}`, wanted }
}

/** D of these balances by Newton's method from the pool's own D, where it ends if that is right. */
function invariantNear(pool: CurveCryptoPool, balances: readonly bigint[]): bigint | undefined {
  const xp = scaledBalances(pool, balances)
  const n = BigInt(xp.length)
  const K0 = xp.reduce((part, x) => (part * x * n) / pool.D, E18)
  return cryptoInvariantOf(xp, pool, K0)
}
