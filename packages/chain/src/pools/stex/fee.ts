// Decodes the two kinds of fee module of a Stake Exchange: a fee by ratio and a fee in steps.

import type { Address, Hex } from '@braid-swap/core'
import type { StexPool } from '@braid-swap/core/families'
import { listOf, wordAt } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import { wordCount } from '../feeWords.js'
import { FEE_PARAMS, FEE_STEPS, MAX_THRESHOLD, MIN_THRESHOLD } from './abi.js'

/** The reads of a fee module of either kind; a module fails those of the other kind. */
export function feeCalls(module: Address): readonly Call[] {
  const selectors = [FEE_PARAMS, MIN_THRESHOLD, MAX_THRESHOLD, FEE_STEPS]
  return selectors.map((data) => ({ to: module, data, mayFail: true }))
}

/**
 * The fee from the module's answers; `undefined` if it is of neither kind or has invalid settings.
 */
export function feeOf([ratio, min, max, steps]: readonly Hex[]): StexPool['fee'] | undefined {
  const [ofRatio, ofMin, ofMax, ofSteps] = [ratio!, min!, max!, steps!].map(wordCount)
  const isByRatio = ofRatio === 4 && ofMin === 0 && ofMax === 0 && ofSteps === 0
  if (isByRatio) return ratioFeeOf([0, 1, 2, 3].map((i) => wordAt(ratio!, i)))
  const isInSteps = ofRatio === 0 && ofMin === 1 && ofMax === 1 && ofSteps! >= 2
  if (!isInSteps) return undefined
  const list = listOf(steps!)
  // A list is an offset, its length and its entries, and nothing beside.
  if (wordAt(steps!, 0) !== 32n || ofSteps !== 2 + list.length) return undefined
  return stepsFeeOf([wordAt(min!, 0), wordAt(max!, 0)], list)
}

/** A fee of 100 % would divide by 0; the modules themselves allow less than 50 %. */
const MAX_FEE_BIPS = 5_000n
const MAX_UINT32 = (1n << 32n) - 1n
const MAX_UINT128 = (1n << 128n) - 1n

function ratioFeeOf(words: readonly bigint[]): StexPool['fee'] | undefined {
  const [min, max, feeMin, feeMax] = words as [bigint, bigint, bigint, bigint]
  if (min >= max || max > MAX_UINT32 || feeMin > feeMax || feeMax >= MAX_FEE_BIPS) return undefined
  return {
    kind: 'ratio',
    ...{ minThresholdRatioBips: Number(min), maxThresholdRatioBips: Number(max) },
    ...{ feeMinBips: Number(feeMin), feeMaxBips: Number(feeMax) },
  }
}

function stepsFeeOf(
  [min, max]: readonly [bigint, bigint],
  steps: readonly bigint[],
): StexPool['fee'] | undefined {
  const isValid =
    min > 0n &&
    min < max &&
    max <= MAX_UINT128 &&
    steps.length > 0 &&
    steps.every((bips, i) => bips < MAX_FEE_BIPS && bips >= (steps[i - 1] ?? 0n))
  if (!isValid) return undefined
  return {
    kind: 'steps',
    ...{ minThresholdToken1: min, maxThresholdToken1: max, stepsBips: steps.map(Number) },
  }
}
