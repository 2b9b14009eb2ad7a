import type { InvariantRounding } from '../../math/stableSwap.js'
import {
  boolean,
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
  faultOfTime,
  faultOfTokens,
  firstFault,
  poolFields,
  ratedFrom,
  seconds,
  severalTokens,
} from '../poolFields.js'
import type { AmplificationRamp, CurveStableSwapPool } from './pool.js'

const E10 = 10n ** 10n
/** The largest A, times the largest precision. */
const MAX_A = 10n ** 8n

const ramp = record<AmplificationRamp>(
  { initialA: integer(1n, MAX_A), initialATime: seconds, futureATime: uint(128) },
  ({ initialATime, futureATime }) =>
    futureATime > initialATime
      ? undefined
      : { field: 'futureATime', got: `${futureATime}`, wanted: `after ${initialATime}` },
)

/** The states that a pool of this family can have. */
export const shape: Shape<CurveStableSwapPool> = record<CurveStableSwapPool>(
  {
    ...poolFields,
    ratedFrom,
    ratedBy: optional(address),
    quotedAt: optional(seconds),
    sampledAt: optional(seconds),
    family: choice('curveStableSwap'),
    tokens: severalTokens,
    isNg: boolean,
    balances: list(uint(128), 2, 8),
    rates: list(integer(10n ** 15n, 10n ** 39n), 2, 8),
    A: integer(1n, MAX_A),
    aPrecision: choice(1n, 100n) as Shape<bigint>,
    ramp: optional(ramp),
    rounding: choice<InvariantRounding>('once', 'eachCoin', 'eachCoinPlusOne'),
    fee: integer(0n, E10 / 2n),
    offpegFeeMultiplier: integer(0n, E10 ** 2n),
    adminFee: integer(0n, E10),
  },
  (pool) =>
    firstFault(
      faultOfTokens(pool),
      faultOfTime(pool, pool.ramp !== undefined || pool.sampledAt !== undefined),
      faultOfCount('balances', pool.balances, pool),
      faultOfCount('rates', pool.rates, pool),
      faultOfKind(pool),
    ),
)

/** Only StableSwap-NG divides once, and only it has a fee that grows off the peg. */
function faultOfKind(pool: CurveStableSwapPool): Fault | undefined {
  const { isNg, rounding, offpegFeeMultiplier } = pool
  if (isNg !== (rounding === 'once')) {
    const wanted = isNg ? 'once, as in StableSwap-NG' : 'eachCoin or eachCoinPlusOne'
    return { field: 'rounding', got: rounding, wanted }
  }
  if (isNg || offpegFeeMultiplier === 0n) return undefined
  return { field: 'offpegFeeMultiplier', got: `${offpegFeeMultiplier}`, wanted: '0 before NG' }
}
