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
import type { CryptoRamp, CurveCryptoPool } from './pool.js'

const [E10, E18] = [10n ** 10n, 10n ** 18n]
// The wider bounds of two and three coins; those of the pool's own number are compared below.
const anyA = integer(boundsOf(3).A.least, boundsOf(3).A.most)
const anyGamma = integer(boundsOf(2).gamma.least, boundsOf(2).gamma.most)
const fee = integer(0n, E10)

const ramp = record<CryptoRamp>(
  { initialA: anyA, initialGamma: anyGamma, initialTime: seconds, futureTime: uint(128) },
  ({ initialTime, futureTime }) =>
    futureTime > initialTime
      ? undefined
      : { field: 'futureTime', got: `${futureTime}`, wanted: `after ${initialTime}` },
)

/** What a pool of this family may be. */
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
    ),
)

/** Tricrypto has one version. */
function faultOfVersion({ tokens, version }: CurveCryptoPool): Fault | undefined {
  if (tokens.length === 2 || version === '2.0.0') return undefined
  return { field: 'version', got: version, wanted: '2.0.0, because the pool has three coins' }
}

/** A and γ, at both ends of a ramp, within the bounds of pools with this many coins. */
function faultOfBounds({ tokens, A, gamma, ramp }: CurveCryptoPool): Fault | undefined {
  const bounds = boundsOf(tokens.length)
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
