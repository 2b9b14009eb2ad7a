// Proves that a StableSwap pool computes as we do, by its own quotes.

import type { Direction } from '@braid-swap/core'
import { type CurveStableSwapPool, getAmountOut } from '@braid-swap/core/families'
import { callData, wordAt } from '../../reads/abiWords.js'
import { LoadError } from '../loadError.js'
import type { Load } from '../loader.js'
import { GET_DY } from './abi.js'

/** Divisors of the balance that give the probe amounts; odd, so that rounding shows. */
const PROBE_PARTS = [1_000_003n, 10_007n, 11n]

/**
 * The pool, with the rounding of its invariant that gives its own quotes. `current` is A at the block
 * that answered, for a pool whose A is moving. Throws 'POOL_FORM_UNKNOWN' if no known form does.
 *
 * Pools before NG may quote by their view function with the fee after the conversion to wei, so one
 * wei less than `exchange` pays is accepted, and one more is not.
 */
export function* provePool(pool: CurveStableSwapPool, current: bigint): Load<CurveStableSwapPool> {
  const probes = probesOf(pool)
  const answers = yield probes.map(({ direction, amountIn }) => ({
    to: pool.id,
    data: callData(GET_DY, direction.in, direction.out, amountIn),
    mayFail: true,
  }))
  const quotes = answers.map((data) => (data === '0x' ? 0n : wordAt(data, 0)))
  const roundings = pool.isNg ? (['once'] as const) : (['eachCoin', 'eachCoinPlusOne'] as const)
  const { ramp: _, sampledAt: __, quotedAt: ___, ...settled } = pool
  // The most wei that any of our quotes is above the pool's; undefined if one is below it.
  const excessOf = (rounding: (typeof roundings)[number]) => {
    const asked = { ...settled, A: current, rounding }
    const excess = probes.map(
      ({ direction, amountIn }, k) => getAmountOut(asked, direction, amountIn) - quotes[k]!,
    )
    return excess.some((wei) => wei < 0n) ? undefined : excess.reduce((a, b) => (a > b ? a : b))
  }
  const accepted = pool.isNg ? [0n] : [0n, 1n]
  const known = accepted
    .map((wei) => roundings.find((rounding) => excessOf(rounding) === wei))
    .find((rounding) => rounding !== undefined)
  if (known) return { ...pool, rounding: known }
  const got = quotes.join(', ')
  throw new LoadError('POOL_FORM_UNKNOWN', `pool ${pool.id} quotes ${got}`, {
    ...{ pool: pool.id, got, wanted: 'the quotes of a known StableSwap formula' },
  })
}

/** Amounts from a millionth to a tenth of a balance, from each coin to the next. */
function probesOf({ balances }: CurveStableSwapPool) {
  return balances.flatMap((balance, k) =>
    PROBE_PARTS.map((part) => ({
      direction: { in: k, out: (k + 1) % balances.length } satisfies Direction,
      amountIn: balance / part + 1n,
    })),
  )
}
