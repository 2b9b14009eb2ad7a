/** The shape of what Algebra's pools of both versions keep for a fee that follows their volatility. */
import { type Fault, int, number, uint } from '../shape/shape.js'
import { faultOfOrder, seconds32 } from './poolFields.js'

/** The integers that a contract stores in 16 bits, and in 32. */
export const [uint16, uint32] = [number(0, 65_535), number(0, 2 ** 32 - 1)]

/** 16 bits that a contract divides by. */
export const divisor = number(1, 65_535)

/** The settings of the two sigmoids and the fee below them. */
export const sigmoidFields = {
  ...{ alpha1: uint16, alpha2: uint16, beta1: uint32, beta2: uint32 },
  ...{ gamma1: divisor, gamma2: divisor, baseFee: uint16 },
} as const

/** A fault if the highest fee does not fit 16 bits. */
export function faultOfSigmoids(config: {
  readonly alpha1: number
  readonly alpha2: number
  readonly baseFee: number
}): Fault | undefined {
  const most = config.alpha1 + config.alpha2 + config.baseFee
  if (most <= 65_535) return undefined
  return { field: 'baseFee', got: `${most} with both alphas`, wanted: 'a sum of at most 65535' }
}

/** The fields of a record of the oracle. */
export const timepointFields = {
  ...{ timestamp: seconds32, tickCumulative: int(56), volatilityCumulative: uint(88) },
} as const

/** A fault unless the records ascend in time. */
export function faultOfTimepoints({
  timepoints,
}: {
  readonly timepoints: readonly { readonly timestamp: number }[]
}): Fault | undefined {
  return faultOfOrder(
    ['timepoints', 'timestamp'],
    timepoints.map(({ timestamp }) => timestamp),
  )
}
