// The fields that weighted and stable pools of both Balancer vaults share: weights, and a ramp
// of the amplification parameter.

import { type Fault, record, type Shape } from '../shape/shape.js'

/** A linear change of the amplification parameter from `startValue` to the pool's `amp`. */
export type AmpRamp = {
  readonly startValue: bigint
  /** Unix seconds. */
  readonly startTime: bigint
  readonly endTime: bigint
}

/** A ramp between values and times that the contract can store. */
export function ampRamp(startValue: Shape<bigint>, time: Shape<bigint>): Shape<AmpRamp> {
  return record<AmpRamp>(
    { startValue, startTime: time, endTime: time },
    ({ startTime, endTime }) =>
      endTime > startTime
        ? undefined
        : { field: 'endTime', got: `${endTime}`, wanted: `after ${startTime}` },
  )
}

const ONE = 10n ** 18n

/** A fault unless the weights, with 18 decimals, sum to 1. */
export function faultOfWeights({
  normalizedWeights,
}: {
  readonly normalizedWeights: readonly bigint[]
}): Fault | undefined {
  const sum = normalizedWeights.reduce((total, weight) => total + weight, 0n)
  if (sum === ONE) return undefined
  return { field: 'normalizedWeights', got: `a sum of ${sum}`, wanted: `a sum of ${ONE}` }
}
