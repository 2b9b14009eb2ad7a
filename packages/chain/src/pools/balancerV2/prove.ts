// Proves that a pool of Balancer V2 computes as we do, by swaps that the vault performs, reports and
// reverts in a call.

import type { Direction, Hex } from '@braid-swap/core'
import { type BalancerV2Pool, getAmountOut } from '@braid-swap/core/families'
import { callData, signed, wordAt } from '../../reads/abiWords.js'
import { CLOCK } from '../../reads/clock.js'
import { LoadError } from '../loadError.js'
import type { Load, PoolRef } from '../loader.js'
import { QUERY_SWAP } from './abi.js'

/** Divisors of the balance that give the probe amounts; odd, so that rounding shows. */
const PROBE_PARTS = [1_000_003n, 10_007n, 11n]

/**
 * Throws 'POOL_FORM_UNKNOWN' unless the vault answers as ours at amounts from a millionth to an
 * eleventh of a balance, from each token to the next, at the time of the block that answers.
 */
export function* provePool(pool: BalancerV2Pool, { factory: vault }: PoolRef): Load<void> {
  const { balances } = pool
  const probes = balances.flatMap((balance, k) =>
    PROBE_PARTS.map((part) => ({
      direction: { in: k, out: (k + 1) % balances.length } satisfies Direction,
      amountIn: balance / part + 1n,
    })),
  )
  const [time, ...answers] = yield [
    CLOCK,
    ...probes.map(({ direction, amountIn }) => ({
      ...{ to: vault!, data: queryCall(pool, direction, amountIn), mayFail: true as const },
    })),
  ]
  const { sampledAt, ...rest } = pool
  const asked: BalancerV2Pool =
    rest.quotedAt === undefined ? rest : { ...rest, quotedAt: wordAt(time!, 0) }
  for (const [k, { direction, amountIn }] of probes.entries()) {
    // A list of two changes of the caller's balances; that of the token out is negative.
    const got = answers[k] === '0x' ? 0n : -signed(wordAt(answers[k]!, 3))
    const wanted = getAmountOut(asked, direction, amountIn)
    if (got !== wanted) {
      throw new LoadError('POOL_FORM_UNKNOWN', `pool ${pool.id} computes ${got}, not ${wanted}`, {
        ...{ pool: pool.id, got: `${got}`, wanted: `${wanted}` },
      })
    }
  }
}

/** `queryBatchSwap` of one swap with a given input, between the two assets 0 and 1. */
function queryCall(pool: BalancerV2Pool, direction: Direction, amountIn: bigint): Hex {
  const assets = [direction.in, direction.out].map((k) => BigInt(pool.tokens[k]!))
  // Kind, the offsets of both lists, then sender, internal balance, recipient, internal balance.
  const head = [0n, 7n * 32n, 15n * 32n, 0n, 0n, 0n, 0n]
  const step = [BigInt(pool.poolId), 0n, 1n, amountIn, 5n * 32n, 0n]
  return callData(QUERY_SWAP, ...head, 1n, 32n, ...step, 2n, ...assets)
}
