// Loads a staking manager that unstakes at once, and proves its formula: reads the pool's own previews and accepts
// them only if ours are the same.

import type { Address, Hex } from '@braid-swap/core'
import { instantUnstake } from '@braid-swap/core/families'
import { addressOf, callData, wordAt } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import { feeWords } from '../feeWords.js'
import { inRange, LoadError } from '../loadError.js'
import { type Load, type PoolRef, tokenPairOf } from '../loader.js'
import * as abi from './abi.js'

type InstantUnstakePool = instantUnstake.InstantUnstakePool

/** None: the rate and the buffer change without a log of the manager. */
export const topics: readonly Hex[] = []
/** None. */
export const replacingTopics: readonly Hex[] = []
/** None: it is read again in every block. */
export const ignoredTopics: readonly Hex[] = []

const ONE = 10n ** 18n
const BIPS = 10_000n
const MAX_UINT128 = (1n << 128n) - 1n
// Half of the input. No known pool takes more than a hundredth.
const MAX_FEE_BIPS = 4_999n
// No known staked token is worth more than ten native tokens or less than a tenth of one.
const MIN_RATE = ONE / 10n
const MAX_RATE = ONE * 10n

/** An input of which neither the fee nor the output is rounded, so that its output shows all digits of the rate. */
const WHOLE = BIPS * ONE
/** Odd amounts, so that rounding shows. */
const PROBES = [3n, 10n ** 6n + 3n, ONE + 7n]
/** Divisors of the largest input that give further amounts. */
const PROBE_PARTS = [1_000_003n, 10_007n, 103n, 11n, 3n]

/**
 * Reads the manager and the pool that pays for it, and compares the pool's previews with ours: at small amounts, at
 * parts of all that it has, at all of it and at more. The caller sets `sampledAt` and `quotedAt`, because it
 * knows the block that answered. Throws 'POOL_FORM_UNKNOWN' for a pool that computes otherwise, and 'POOL_PAUSED'
 * for a manager that pays nothing at the moment.
 */
export function* load(ref: PoolRef): Load<InstantUnstakePool> {
  const [payer, least, paused] = yield [
    { to: ref.id, data: abi.INSTANT_UNSTAKE_POOL },
    { to: ref.id, data: abi.MIN_WITHDRAWAL_AMOUNT },
    { to: ref.id, data: abi.WITHDRAWAL_PAUSED, mayFail: true },
  ]
  const to = addressOf(wordAt(payer!, 0))
  const isPaused = paused !== '0x' && wordAt(paused!, 0) !== 0n
  if (BigInt(to) === 0n || isPaused) {
    throw new LoadError('POOL_PAUSED', `manager ${ref.id} does not unstake`, { pool: ref.id })
  }
  const [fee, buffer, whole] = yield [
    { to, data: abi.FEE_RATE },
    { to, data: abi.EFFECTIVE_BUFFER },
    preview(to, WHOLE),
  ]
  const within = (field: string, value: bigint, [min, max]: readonly [bigint, bigint]) =>
    inRange(value, { pool: ref.id, field, min, max })
  const [feeRate] = feeWords(fee!, { pool: ref.id, field: 'instantUnstakeFeeRate', count: 1 })
  const bips = within('feeRateBps', feeRate!, [0n, MAX_FEE_BIPS])
  const [paid] = previewOf(ref, whole!)
  const state: InstantUnstakePool = {
    ...{ family: 'instantUnstake', id: ref.id, venue: ref.venue, tokens: tokenPairOf(ref) },
    rate: within('rate', paid! / (BIPS - bips), [MIN_RATE, MAX_RATE]),
    feeRateBps: Number(bips),
    buffer: within('buffer', wordAt(buffer!, 0), [0n, MAX_UINT128]),
    minAmountIn: within('minAmountIn', wordAt(least!, 0), [0n, MAX_UINT128]),
    ...{ sampledAt: 0n, quotedAt: 0n },
  }
  const most = instantUnstake.largestInput(state)
  const probes = [...PROBES, ...PROBE_PARTS.map((part) => most / part + 1n), most, most + 1n]
  const answers = yield probes.map((amountIn) => preview(to, amountIn))
  for (const [i, amountIn] of [WHOLE, ...probes].entries()) {
    compare(ref, state, amountIn, previewOf(ref, i === 0 ? whole! : answers[i - 1]!))
  }
  return state
}

/** No log determines what the manager pays. */
export function applyLog(): 'reload' {
  return 'reload'
}

function preview(to: Address, amountIn: bigint): Call {
  return { to, data: callData(abi.PREVIEW, amountIn) }
}

/** The four words of a preview: output, fee, fee in bips, and 1 if the pool has the output. */
function previewOf({ id: pool }: PoolRef, answer: Hex): readonly bigint[] {
  return feeWords(answer, { pool, field: 'previewInstantUnstake', count: 4 })
}

/** Throws unless the pool's preview is ours. */
function compare(
  { id: pool }: PoolRef,
  state: InstantUnstakePool,
  amountIn: bigint,
  theirs: readonly bigint[],
): void {
  const bips = BigInt(state.feeRateBps)
  const amountOut = instantUnstake.previewInstantUnstake(state, amountIn)
  const isPaid = amountOut <= state.buffer ? 1n : 0n
  const ours = [amountOut, (amountIn * bips) / BIPS, bips, isPaid]
  if (ours.every((word, i) => word === theirs[i])) return
  const [got, wanted] = [`${theirs}`, `${ours}`]
  throw new LoadError(
    'POOL_FORM_UNKNOWN',
    `the pool of manager ${pool} answers ${got} for ${amountIn}; expected ${wanted}`,
    { pool, got, wanted },
  )
}
