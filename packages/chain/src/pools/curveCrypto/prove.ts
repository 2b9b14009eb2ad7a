// Proves that a Twocrypto or Tricrypto pool computes as we do, by its own fees, quotes and share value.

import type { Address, Direction } from '@braid-swap/core'
import { type CurveCryptoPool, curveCrypto, getAmountOut } from '@braid-swap/core/families'
import { callData, wordAt } from '../../reads/abiWords.js'
import { LoadError } from '../loadError.js'
import type { Load } from '../loader.js'
import { FEE_CALC, GET_DY, GET_Y, SHARE_VALUE } from './abi.js'

/** Divisors of the balance that give the probe amounts; odd, so that rounding shows. */
const PROBE_PARTS = [100_003n, 101n, 3n]
/** The imbalances at which the pool is asked for its fee. */
const TILTS = [1n, 3n]
/** An even state that the mathematics of two coins is asked for, with a γ that only 2.1.0 takes in the second. */
const EVEN = { A: 400_000n, D: 10n ** 24n, x: [5n * 10n ** 23n, 5n * 10n ** 23n], j: 1 } as const
const GAMMAS = [10n ** 15n, 10n ** 16n] as const
const VERSIONS = ['2.0.0', '2.1.0'] as const

/** A and γ at the block that answered, and the contract of the mathematics. */
type Asked = Pick<CurveCryptoPool, 'A' | 'gamma'> & { readonly math: Address }

/**
 * The pool with the version of its mathematics, if its fees, quotes and the value of a share are ours. Throws
 * 'POOL_FEE_UNKNOWN' or 'POOL_FORM_UNKNOWN' if they differ.
 *
 * A quote differs from a swap in one way: it pays also where the swap would be refused because no share
 * gains by it.
 */
export function* provePool(unproven: CurveCryptoPool, asked: Asked): Load<CurveCryptoPool> {
  const { id } = unproven
  const scaled = curveCrypto.scaledBalances(unproven, unproven.balances)
  const tilted = TILTS.map((tilt) => scaled.with(0, scaled[0]! * tilt))
  const probes = probesOf(unproven)
  const count = unproven.tokens.length as 2 | 3
  const mayFail = true as const
  const answers = yield [
    ...tilted.map((xp) => ({ to: id, data: callData(FEE_CALC[count], ...xp), mayFail })),
    ...probes.map(({ direction, amountIn }) => ({
      ...{ to: id, data: callData(GET_DY, direction.in, direction.out, amountIn), mayFail },
    })),
    { to: id, data: SHARE_VALUE, mayFail },
    ...(count === 2 ? GAMMAS : []).map((gamma) => ({
      ...{ to: asked.math, mayFail },
      data: callData(GET_Y, EVEN.A, gamma, ...EVEN.x, EVEN.D, EVEN.j),
    })),
  ]
  const values = answers.map((data) => (data === '0x' ? 0n : wordAt(data, 0)))
  const next = (count: number) => values.splice(0, count)
  const [fees, quotes, [worth]] = [next(TILTS.length), next(probes.length), next(1)]
  const pool = count === 2 ? withVersion(unproven, values) : unproven
  if (curveCrypto.isEmpty(pool)) return pool
  const ownFees = tilted.map((xp) => curveCrypto.feeOf(pool, xp))
  if (!areEqual(fees, ownFees)) {
    const details = { pool: id, got: fees.join(', '), wanted: ownFees.join(', ') }
    throw new LoadError('POOL_FEE_UNKNOWN', `pool ${id} has the fees ${details.got}`, details)
  }
  // A swap is refused for this value, which no quote shows.
  const ownWorth = curveCrypto.shareValueOf(pool)
  if (worth !== ownWorth) throw unknownForm(pool, `a share worth ${worth}`, `${ownWorth}`)
  const isKnown = viewsOf(pool, asked).some((view) =>
    areEqual(
      quotes,
      probes.map(({ direction, amountIn }) => getAmountOut(view, direction, amountIn)),
    ),
  )
  if (isKnown) return pool
  throw unknownForm(pool, `the quotes ${quotes.join(', ')}`, 'the quotes of the CryptoSwap formula')
}

/** The pool with the version whose bounds explain what its mathematics answered. */
function withVersion(pool: CurveCryptoPool, answers: readonly bigint[]): CurveCryptoPool {
  const version = VERSIONS.find((version) =>
    areEqual(
      answers,
      GAMMAS.map((gamma) => {
        const form = { A: EVEN.A, gamma, version }
        return curveCrypto.cryptoBalanceOf(EVEN.x, EVEN, form)?.y ?? 0n
      }),
    ),
  )
  if (version) return { ...pool, version }
  throw unknownForm(pool, `the balances ${answers.join(', ')}`, 'those of version 2.0.0 or 2.1.0')
}

function unknownForm({ id }: CurveCryptoPool, got: string, wanted: string): LoadError {
  return new LoadError('POOL_FORM_UNKNOWN', `pool ${id} has ${got}`, { pool: id, got, wanted })
}

/**
 * States that swap as the pool quotes, with A and γ at rest and on the move. A state whose share is worth
 * almost nothing refuses no swap, and neither does one on the move.
 */
function viewsOf(
  { ramp: _, quotedAt: __, ...pool }: CurveCryptoPool,
  { A, gamma }: Asked,
): readonly CurveCryptoPool[] {
  const still = { initialA: A, initialGamma: gamma, initialTime: 0n, futureTime: 1n }
  const atRest = { ...pool, A, gamma, virtualPrice: 1n }
  return [atRest, { ...atRest, ramp: still, quotedAt: 0n }]
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
