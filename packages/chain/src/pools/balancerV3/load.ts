// Loads a weighted, stable or E-CLP pool of Balancer V3 from its vault, and proves its formula: asks the pool
// itself for swaps at probe amounts and accepts it only if ours are the same.

import type { Hex } from '@braid-swap/core'
import {
  applySwap,
  type BalancerV3Pool,
  getAmountOut,
  type StableForm,
  type WeightedForm,
} from '@braid-swap/core/families'
import { addressOf, callData, wordAt } from '../../reads/abiWords.js'
import type { LogBody } from '../../reads/log.js'
import { feeWords } from '../feeWords.js'
import { inRange, LoadError } from '../loadError.js'
import type { Load, PoolRef } from '../loader.js'
import * as abi from './abi.js'
import { eclpForm, isEclp } from './eclpForm.js'
import { listAt, poolDataOf } from './poolData.js'
import { provePool } from './prove.js'

/** `Swap` and `SwapFeePercentageChanged` of the vault. */
export const topics: readonly Hex[] = [abi.SWAP, abi.SWAP_FEE_CHANGED]
/** None: a swap's log has amounts, not balances. */
export const replacingTopics: readonly Hex[] = []
/** Transfers and approvals of the LP token, which the pool logs itself. */
export const ignoredTopics: readonly Hex[] = abi.IGNORED_TOPICS

const ONE = 10n ** 18n
const MAX_UINT128 = (1n << 128n) - 1n
// A fee of 100 % is more than the vault accepts.
const MAX_FEE = ONE - 1n
// No known rate is outside, and within it no product of the vault exceeds a uint256.
const MIN_RATE = 10n ** 12n
const MAX_RATE = 10n ** 27n
const MIN_WEIGHT = 10n ** 16n
const MAX_AMP = 50_000_000n

/**
 * Reads balances, rates, fees and the formula's parameters, and proves that the pool computes as we
 * do. Refuses a pool with a hook, and one of another formula. A token with a rate provider makes the
 * pool a sampled one; the caller sets `sampledAt` and `quotedAt`, because it knows the block that
 * answered. Throws 'POOL_PAUSED' for a pool that the vault has paused.
 */
export function* load(ref: PoolRef): Load<BalancerV3Pool> {
  const { id, tokens, factory: vault } = ref
  const ofVault = Object.values(abi.OF_VAULT).map((data) => ({ to: vault!, data }))
  const about = Object.values(abi.ABOUT_POOL).map((selector) => ({
    ...{ to: vault!, data: callData(selector, BigInt(id)) },
  }))
  const answers = yield [
    { to: id, data: abi.GET_VAULT },
    ...ofVault,
    ...about,
    ...[abi.WEIGHTED_DATA, abi.AMP_STATE, abi.AMP_PARAMETER, abi.ECLP_PARAMS].map((data) => ({
      ...{ to: id, data, mayFail: true },
    })),
  ]
  const [own, minimum, vaultPause, config, hooks, pause, data, ...ofForm] = answers
  const owner = addressOf(wordAt(own!, 0))
  if (owner !== vault) throw formUnknown(ref, `the vault ${owner}`, `the vault ${vault}`)
  if (wordAt(vaultPause!, 0) !== 0n || wordAt(pause!, 0) !== 0n) {
    throw new LoadError('POOL_PAUSED', `the vault has paused pool ${id}`, { pool: id })
  }
  requireNoHook(ref, hooks!)
  const { swapFee, aggregateSwapFee } = feesOf(ref, config!)
  const read = poolDataOf(data!)
  if (read.tokens.join() !== tokens.join()) {
    throw formUnknown(ref, `the tokens ${read.tokens.join(' ')}`, tokens.join(' '))
  }
  const within = (field: string, value: bigint, max: bigint, min = 0n) =>
    inRange(value, { pool: id, field, min, max })
  const pool: BalancerV3Pool = {
    ...{ family: 'balancerV3', id, venue: ref.venue, tokens },
    balancesRaw: read.balancesRaw.map((value, k) =>
      within(`balancesRaw(${k})`, value, MAX_UINT128),
    ),
    decimalScalingFactors: read.scalingFactors.map((value, k) =>
      within(`decimalScalingFactors(${k})`, value, ONE, 1n),
    ),
    tokenRates: read.rates.map((value, k) => within(`tokenRates(${k})`, value, MAX_RATE, MIN_RATE)),
    ...{ swapFee, aggregateSwapFee },
    minTradeAmount: within('getMinimumTradeAmount', wordAt(minimum!, 0), ONE),
    form: formOf(ref, ofForm),
    ...(read.providers.length > 0 && {
      ...{ sampledAt: 0n, quotedAt: 0n, ratedFrom: [...new Set(read.providers)] },
    }),
  }
  const amp = ofForm[2]!
  const current = amp === '0x' ? 0n : wordAt(amp, 0)
  yield* provePool(pool, current)
  return pool.form.kind === 'stable' && pool.form.ramp ? { ...pool, quotedAt: 0n } : pool
}

/** Only pools without a hook: a hook may change the fee and the amounts of a swap. */
function requireNoHook(ref: PoolRef, answer: Hex): void {
  const words = feeWords(answer, { pool: ref.id, field: 'getHooksConfig', count: 11 })
  const hook = addressOf(words.at(-1)!)
  const isSet = words.some((word) => word !== 0n)
  if (isSet) throw formUnknown(ref, `the hook ${hook}`, 'none')
}

/** The static fee, and the protocol's part of it, which recovery mode sets to nothing. */
function feesOf(
  { id }: PoolRef,
  answer: Hex,
): Pick<BalancerV3Pool, 'swapFee' | 'aggregateSwapFee'> {
  const words = feeWords(answer, { pool: id, field: 'getPoolConfig', count: 13 })
  const [swapFee, aggregate] = [words[4]!, words[5]!]
  if (words[10] === 0n) {
    throw new LoadError('POOL_NOT_INITIALISED', `pool ${id} has no first liquidity`, { pool: id })
  }
  const within = (field: string, value: bigint, max: bigint) =>
    inRange(value, { pool: id, field, min: 0n, max })
  return {
    swapFee: within('staticSwapFeePercentage', swapFee, MAX_FEE),
    aggregateSwapFee: words[12] === 0n ? within('aggregateSwapFeePercentage', aggregate, ONE) : 0n,
  }
}

/** The pool's formula: the one whose getter answers. */
function formOf(
  ref: PoolRef,
  [weighted, ampState, , eclp]: readonly Hex[],
): BalancerV3Pool['form'] {
  if (weighted !== '0x') return weightedForm(ref, weighted!)
  if (isEclp(eclp!)) {
    if (ref.tokens.length === 2) return eclpForm(ref, eclp!)
    throw formUnknown(ref, `${ref.tokens.length} tokens on an ellipse`, 'two')
  }
  return stableForm(ref, ampState!)
}

/** The weights, and the least balances if the pool is new enough to have them. */
function weightedForm(ref: PoolRef, answer: Hex): WeightedForm {
  const start = Number(wordAt(answer, 0)) / 32
  // The first list begins behind the offsets of all lists: three, or four with the least balances.
  const lists = Number(wordAt(answer, start)) / 32
  const list = (k: number) => listAt(answer, start, k)
  const count = ref.tokens.length
  const isKnown = lists === 3 || (lists === 4 && list(3).length === count)
  if (!isKnown || list(2).length !== count) {
    throw formUnknown(ref, `${lists} lists of other lengths`, 'three or four of its tokens')
  }
  const bounds = { pool: ref.id, field: 'normalizedWeights', min: MIN_WEIGHT, max: ONE }
  const normalizedWeights = list(2).map((weight) => inRange(weight, bounds))
  const sum = normalizedWeights.reduce((total, weight) => total + weight, 0n)
  if (sum !== ONE) throw formUnknown(ref, `weights of ${sum}`, `${ONE}`)
  return {
    kind: 'weighted',
    normalizedWeights,
    ...(lists === 4 && { minTokenBalances: list(3) }),
  }
}

/** The amplification parameter and its ramp, also if that is over: no log says when it ends. */
function stableForm(ref: PoolRef, answer: Hex): StableForm {
  if (answer === '0x')
    throw formUnknown(ref, 'an unknown formula', 'weights, an amplification or an ellipse')
  const words = feeWords(answer, { pool: ref.id, field: 'getAmplificationState', count: 5 })
  const [startValue, amp, startTime, endTime, precision] = words as [
    ...[bigint, bigint, bigint, bigint, bigint],
  ]
  if (precision !== 1_000n) throw formUnknown(ref, `a precision of ${precision}`, '1000')
  const bounds = { pool: ref.id, field: 'amp', min: 1_000n, max: MAX_AMP }
  for (const value of [startValue, amp]) inRange(value, bounds)
  const isRamp = startValue !== amp && endTime > startTime
  return { kind: 'stable', amp, ...(isRamp && { ramp: { startValue, startTime, endTime } }) }
}

/**
 * The pool after a log of its vault: after a swap whose output and fee are those of our own formula at
 * the time of its block, or with another fee. Anything else reloads the pool.
 */
export function applyLog(
  pool: BalancerV3Pool,
  { topics, data, timestamp }: LogBody,
): BalancerV3Pool | 'reload' {
  if (pool.sampledAt !== undefined) return 'reload'
  if (topics[0] === abi.SWAP_FEE_CHANGED) {
    const swapFee = wordAt(data, 0)
    return swapFee > MAX_FEE ? 'reload' : { ...pool, swapFee }
  }
  if (topics[0] !== abi.SWAP) return 'reload'
  if (pool.quotedAt === undefined) return swapOf(pool, { topics, data })
  if (timestamp === undefined) return 'reload'
  const after = swapOf({ ...pool, quotedAt: timestamp }, { topics, data })
  return after === 'reload' ? after : { ...after, quotedAt: pool.quotedAt }
}

function swapOf(
  pool: BalancerV3Pool,
  { topics, data }: Pick<LogBody, 'topics' | 'data'>,
): BalancerV3Pool | 'reload' {
  const index = (topic: Hex) => pool.tokens.indexOf(addressOf(BigInt(topic)))
  const direction = { in: index(topics[2]!), out: index(topics[3]!) }
  if (direction.in < 0 || direction.out < 0 || direction.in === direction.out) return 'reload'
  const [amountIn, amountOut, fee] = [0, 1, 2].map((k) => wordAt(data, k))
  if (fee !== pool.swapFee) return 'reload'
  return getAmountOut(pool, direction, amountIn!) === amountOut
    ? applySwap(pool, direction, amountIn!)
    : 'reload'
}

function formUnknown({ id }: PoolRef, got: string, wanted: string): LoadError {
  return new LoadError('POOL_FORM_UNKNOWN', `pool ${id} has ${got}; expected ${wanted}`, {
    ...{ pool: id, got, wanted },
  })
}
