// Proves that a Twocrypto or Tricrypto pool computes as we do, by its own fees, quotes and share value.

import { type CurveCryptoPool, curveCrypto, type Direction, getAmountOut } from '@braid-swap/core'
import { callData, wordAt } from '../../reads/abiWords.js'
import { LoadError } from '../loadError.js'
import type { Load } from '../loader.js'
import { FEE_CALC, GET_DY, SHARE_VALUE } from './abi.js'

/** Divisors of the balance that give the probe amounts; odd, so that rounding shows. */
const PROBE_PARTS = [100_003n, 101n, 3n]
/** The imbalances at which the pool is asked for its fee. */
const TILTS = [1n, 3n]

/**
 * The pool, if its fees, quotes and the value of a share are ours. `current` is A and γ at the block that answered. Throws
 * 'POOL_FEE_UNKNOWN' or 'POOL_FORM_UNKNOWN' if they differ.
 *
 * A quote differs from a swap in two ways. It pays also where the swap would be refused because no share
 * gains by it; and Curve's views may compute the fee of version 2.0.0 for a pool of version 2.1.0.
 */
export function* provePool(
  pool: CurveCryptoPool,
  current: Pick<CurveCryptoPool, 'A' | 'gamma'>,
): Load<CurveCryptoPool> {
  if (curveCrypto.isEmpty(pool)) return pool
  const { id } = pool
  const scaled = curveCrypto.scaledBalances(pool, pool.balances)
  const tilted = TILTS.map((tilt) => scaled.with(0, scaled[0]! * tilt))
  const probes = probesOf(pool)
  const selector = FEE_CALC[pool.tokens.length as 2 | 3]
  const answers = yield [
    ...tilted.map((xp) => ({ to: id, data: callData(selector, ...xp), mayFail: true as const })),
    ...probes.map(({ direction, amountIn }) => ({
      to: id,
      data: callData(GET_DY, direction.in, direction.out, amountIn),
      mayFail: true as const,
    })),
    { to: id, data: SHARE_VALUE, mayFail: true as const },
  ]
  const values = answers.map((data) => (data === '0x' ? 0n : wordAt(data, 0)))
  const [fees, quotes] = [values.slice(0, TILTS.length), values.slice(TILTS.length, -1)]
  const ownFees = tilted.map((xp) => curveCrypto.feeOf(pool, xp))
  if (!areEqual(fees, ownFees)) {
    const details = { pool: id, got: fees.join(', '), wanted: ownFees.join(', ') }
    throw new LoadError('POOL_FEE_UNKNOWN', `pool ${id} has the fees ${details.got}`, details)
  }
  // A swap is refused for this value, which no quote shows.
  const worth = curveCrypto.shareValuesOf(pool)
  if (!worth.includes(values.at(-1)!)) {
    const details = { pool: id, got: `${values.at(-1)}`, wanted: worth.join(' or ') }
    throw new LoadError('POOL_FORM_UNKNOWN', `a share of ${id} is worth ${details.got}`, details)
  }
  const isKnown = viewsOf(pool, current).some((view) =>
    areEqual(
      quotes,
      probes.map(({ direction, amountIn }) => getAmountOut(view, direction, amountIn)),
    ),
  )
  if (isKnown) return pool
  const got = quotes.join(', ')
  throw new LoadError('POOL_FORM_UNKNOWN', `pool ${id} quotes ${got}`, {
    ...{ pool: id, got, wanted: 'the quotes of the CryptoSwap formula' },
  })
}

/**
 * States that swap as the pool quotes: with either fee, and with A and γ at rest or on the move. A state
 * whose share is worth almost nothing refuses no swap, and neither does one on the move.
 */
function viewsOf(
  { ramp: _, quotedAt: __, ...pool }: CurveCryptoPool,
  current: Pick<CurveCryptoPool, 'A' | 'gamma'>,
): readonly CurveCryptoPool[] {
  const { A, gamma } = current
  const still = { initialA: A, initialGamma: gamma, initialTime: 0n, futureTime: 1n }
  return [...new Set([pool.version, '2.0.0' as const])].flatMap((version) => {
    const atRest = { ...pool, ...current, version, virtualPrice: 1n }
    return [atRest, { ...atRest, ramp: still, quotedAt: 0n }]
  })
}

function areEqual(a: readonly bigint[], b: readonly bigint[]): boolean {
  return a.every((value, k) => value === b[k])
}

/** Amounts from a hundred-thousandth to a third of a balance, from each coin to the next. */
function probesOf({ balances }: CurveCryptoPool) {
  return balances.flatMap((balance, k) =>
    PROBE_PARTS.map((part) => ({
      direction: { in: k, out: (k + 1) % balances.length } satisfies Direction,
      amountIn: balance / part + 1n,
    })),
  )
}
