// Reads the formula of a Balancer V2 pool: weights, or amplification and rates.

import type { Address, Hex } from '@braid-swap/core'
import { type ComposableStableForm, linearAt, type TokenRate } from '@braid-swap/core/families'
import { addressOf, callData, listOf, wordAt } from '../../reads/abiWords.js'
import { CLOCK } from '../../reads/clock.js'
import { feeWords } from '../feeWords.js'
import { inRange, LoadError } from '../loadError.js'
import type { Load, PoolRef } from '../loader.js'
import * as abi from './abi.js'

const ONE = 10n ** 18n
// No known rate is outside.
const MIN_RATE = 10n ** 12n
const MAX_RATE = 10n ** 27n
const MIN_WEIGHT = 10n ** 16n
const MIN_AMP = 1_000n
const MAX_AMP = 5_000_000n
const MAX_TIME = (1n << 64n) - 1n

/** The answers of a pool that depend on its kind; `0x` of the getters that it lacks. */
export type FormAnswers = {
  /** Of every token that it registered, its own share token included. */
  readonly scaling: readonly bigint[]
  readonly weights: Hex
  readonly amp: Hex
  readonly providers: Hex
}

type Read = {
  readonly form: ComposableStableForm | { kind: 'weighted'; normalizedWeights: readonly bigint[] }
  /** 10^(18 − decimals) of each token. */
  readonly scales: readonly bigint[]
  /** The rate providers of its tokens; absent if there are none. */
  readonly ratedFrom?: readonly Address[]
}

/** The formula, and the scale of each token. */
export function* readForm(ref: PoolRef, answers: FormAnswers): Load<Read> {
  const { tokens } = ref
  if (answers.weights !== '0x') {
    const form = weightedForm(ref, listOf(answers.weights))
    requireLength(ref, answers.scaling, tokens.length)
    return { form, scales: answers.scaling.map((factor) => scaleOf(ref, factor, ONE)) }
  }
  if (answers.amp === '0x' || answers.providers === '0x') {
    throw formUnknown(ref, 'an unknown formula', 'weights or an amplification with rates')
  }
  const amplification = yield* readAmp(ref, answers.amp)
  requireLength(ref, answers.scaling, tokens.length + 1)
  // The share token's place in the order of addresses.
  const bpt = tokens.filter((token) => BigInt(token) < BigInt(ref.id)).length
  const providers = listOf(answers.providers).map(addressOf)
  requireLength(ref, providers, tokens.length + 1)
  const ofTokens = providers.toSpliced(bpt, 1)
  const rates = yield* readRates(ref, ofTokens)
  const scales = answers.scaling
    .toSpliced(bpt, 1)
    .map((factor, k) => scaleOf(ref, factor, rates[k]!.cached))
  const ratedFrom = [...new Set(ofTokens.filter((provider) => BigInt(provider) !== 0n))]
  const form = { kind: 'composableStable', ...amplification, rates } as const
  return { form, scales, ...(ratedFrom.length > 0 && { ratedFrom }) }
}

function weightedForm(ref: PoolRef, weights: readonly bigint[]) {
  requireLength(ref, weights, ref.tokens.length)
  const bounds = { pool: ref.id, field: 'normalizedWeights', min: MIN_WEIGHT, max: ONE }
  const normalizedWeights = weights.map((weight) => inRange(weight, bounds))
  const sum = normalizedWeights.reduce((total, weight) => total + weight, 0n)
  if (sum !== ONE) throw formUnknown(ref, `weights of ${sum}`, `${ONE}`)
  return { kind: 'weighted', normalizedWeights } as const
}

/** A scaling factor is scale·rate, and a scale a power of ten. */
function scaleOf(ref: PoolRef, factor: bigint, rate: bigint): bigint {
  const scale = factor / rate
  const isPower = /^10*$/.test(`${scale}`) && scale <= ONE
  if (scale * rate === factor && isPower) return scale
  throw formUnknown(ref, `the scaling factor ${factor}`, `a power of ten times ${rate}`)
}

// The pools of the factory of 2023 keep the ramp in this slot: no getter reports it. Four values of 64 bits.
const RAMP_SLOT: Hex = '0x9'
const field = (word: bigint, index: number) => BigInt.asUintN(64, word >> BigInt(64 * index))

/**
 * The amplification, and its ramp, also if that is over. A pool of a factory that keeps it elsewhere
 * is refused while it moves: what the slot says must give the value that the pool reports.
 */
function* readAmp(ref: PoolRef, answer: Hex): Load<Pick<ComposableStableForm, 'amp' | 'ramp'>> {
  const words = feeWords(answer, { pool: ref.id, field: 'getAmplificationParameter', count: 3 })
  const [value, isUpdating, precision] = words as [bigint, bigint, bigint]
  if (precision !== 1_000n) throw formUnknown(ref, `a precision of ${precision}`, '1000')
  const bounds = { pool: ref.id, field: 'amp', min: MIN_AMP, max: MAX_AMP }
  inRange(value, bounds)
  const [time, slot] = yield [CLOCK, { to: ref.id, data: RAMP_SLOT, isSlot: true }]
  const packed = wordAt(slot!, 0)
  const [startValue, amp] = [field(packed, 0), field(packed, 1)]
  const [startTime, endTime] = [field(packed, 2), field(packed, 3)]
  const now = wordAt(time!, 0)
  const isRamp = startValue !== amp && endTime > startTime && startTime <= now
  const isInRange = [startValue, amp].every((end) => end >= MIN_AMP && end <= MAX_AMP)
  const ramp = { startValue, startTime, endTime }
  if (
    isRamp &&
    isInRange &&
    linearAt({ from: startValue, to: amp, startTime, endTime }, now) === value
  ) {
    return { amp, ramp }
  }
  if (isUpdating === 0n) return { amp: value }
  throw formUnknown(ref, 'an amplification that moves in an unknown way', 'a known ramp')
}

/** The rate of each token, as the pool keeps it and as its provider reports it now. */
function* readRates(ref: PoolRef, providers: readonly Hex[]): Load<readonly TokenRate[]> {
  const indices = [...providers.keys()].filter((k) => BigInt(providers[k]!) !== 0n)
  const answers = yield indices.flatMap((k) => [
    { to: ref.id, data: callData(abi.RATE_CACHE, BigInt(ref.tokens[k]!)) },
    { to: providers[k]!, data: abi.GET_RATE },
  ])
  const bounds = { pool: ref.id, field: 'rate', min: MIN_RATE, max: MAX_RATE }
  return providers.map((_, k): TokenRate => {
    const at = 2 * indices.indexOf(k)
    if (at < 0) return { cached: ONE }
    const words = feeWords(answers[at]!, { pool: ref.id, field: 'getTokenRateCache', count: 4 })
    const expires = inRange(words[3]!, { ...bounds, field: 'expires', min: 0n, max: MAX_TIME })
    const current = inRange(wordAt(answers[at + 1]!, 0), bounds)
    return { cached: inRange(words[0]!, bounds), renewal: { expires, current } }
  })
}

function requireLength(ref: PoolRef, list: readonly unknown[], length: number): void {
  if (list.length === length) return
  throw formUnknown(ref, `a list of ${list.length} tokens`, `${length}`)
}

/** The pool is not of a form that this family knows. */
export function formUnknown({ id }: PoolRef, got: string, wanted: string): LoadError {
  return new LoadError('POOL_FORM_UNKNOWN', `pool ${id} has ${got}; expected ${wanted}`, {
    ...{ pool: id, got, wanted },
  })
}
