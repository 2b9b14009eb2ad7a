// Proves that a pool of Balancer V3 computes as we do, by its own answers: `onSwap` is its formula
// without the vault, in the common unit of 18 decimals.

import type { Direction } from '@braid-swap/core'
import { type BalancerV3Pool, getAmountOut, liveBalances } from '@braid-swap/core/families'
import { callData, wordAt } from '../../reads/abiWords.js'
import { LoadError } from '../loadError.js'
import type { Load } from '../loader.js'
import { ON_SWAP } from './abi.js'

/** Divisors of the balance that give the probe amounts; odd, so that rounding shows. */
const PROBE_PARTS = [1_000_003n, 10_007n, 11n]
// An E-CLP may have most of one token: its amounts are parts of both balances, and there are more,
// because its roundings depend on the amount.
const ECLP_PARTS = [...PROBE_PARTS, 100_000_007n, 101n, 3n]
const ONE = 10n ** 18n

/**
 * Throws 'POOL_FORM_UNKNOWN' unless the pool's formula answers as ours at amounts from a millionth to
 * an eleventh of a balance, from each token to the next. `current` is the amplification at the block
 * that answered.
 */
export function* provePool(pool: BalancerV3Pool, current: bigint): Load<void> {
  const live = liveBalances(pool)
  const { form } = pool
  const formula: BalancerV3Pool = {
    ...{ family: 'balancerV3', id: pool.id, venue: pool.venue, tokens: pool.tokens },
    balancesRaw: live,
    decimalScalingFactors: live.map(() => 1n),
    tokenRates: live.map(() => ONE),
    ...{ swapFee: 0n, aggregateSwapFee: 0n, minTradeAmount: 0n },
    form: form.kind === 'stable' ? { kind: 'stable', amp: current } : form,
  }
  const isEclp = form.kind === 'eclp'
  const both = live.reduce((sum, balance) => sum + balance, 0n)
  const probes = live.flatMap((balance, k) =>
    (isEclp ? ECLP_PARTS : PROBE_PARTS).map((part) => ({
      direction: { in: k, out: (k + 1) % live.length } satisfies Direction,
      amountIn: (isEclp ? both : balance) / part + 1n,
    })),
  )
  const answers = yield probes.map(({ direction, amountIn }) => ({
    to: pool.id,
    data: onSwapCall(live, direction, amountIn),
    mayFail: true,
  }))
  for (const [k, { direction, amountIn }] of probes.entries()) {
    const got = answers[k] === '0x' ? 0n : wordAt(answers[k]!, 0)
    const wanted = getAmountOut(formula, direction, amountIn)
    if (got !== wanted) {
      throw new LoadError('POOL_FORM_UNKNOWN', `pool ${pool.id} computes ${got}, not ${wanted}`, {
        ...{ pool: pool.id, got: `${got}`, wanted: `${wanted}` },
      })
    }
  }
}

/** `onSwap` of an exact input: a struct of seven words, then the balances, then no user data. */
function onSwapCall(live: readonly bigint[], direction: Direction, amountIn: bigint) {
  const [kind, router, struct] = [0n, 0n, 7n * 32n]
  const userData = struct + 32n * BigInt(live.length + 1)
  const head = [kind, amountIn, struct, direction.in, direction.out, router, userData]
  return callData(ON_SWAP, 32n, ...head, live.length, ...live, 0n)
}
