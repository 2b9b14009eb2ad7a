/**
 * An integrator's fee: a part of the token in, before the first hop, or of the token out, after the
 * last one. The executor sends it to an address; everything that is quoted is net of it.
 */
import type { Address } from './hex.js'
import { mulDivDown } from './math/fullMath.js'
import { address } from './pools/poolFields.js'
import { choice, number, record, type Shape } from './shape/shape.js'

/** A fee as a program contains it. Native ends are paid in the wrapped token. */
export type Fee = {
  readonly of: 'tokenIn' | 'tokenOut'
  /** Parts per million of what is held of that token, from 1 to {@link MAX_FEE_PPM}. */
  readonly ppm: number
  /** In lower case. */
  readonly recipient: Address
}

/** A fee with its amount in wei. */
export type PaidFee = Fee & { readonly amount: bigint }

/** The part of a fee that a bound depends on. */
export type FeeTerms = Pick<Fee, 'of' | 'ppm'>

/** The most that the executor pays at once: 1 %. */
export const MAX_FEE_PPM = 10_000

/** Estimated gas of the payment: a token transfer to an account that may have had none of it. */
export const FEE_GAS = 24_000

const PPM = 1_000_000n

/** The fee on an amount, in wei and rounded down as the executor does. */
export function feeOn(amount: bigint, { ppm }: Pick<Fee, 'ppm'>): bigint {
  return mulDivDown(amount, BigInt(ppm), PPM)
}

/** An amount less the fee on it; the amount itself without a fee. */
export function lessFee(amount: bigint, fee: Pick<Fee, 'ppm'> | undefined): bigint {
  return fee ? amount - feeOn(amount, fee) : amount
}

/** The least amount of which at least `rest` wei remain after the fee, for a `rest` above 0. */
export function beforeFee(rest: bigint, fee: Pick<Fee, 'ppm'> | undefined): bigint {
  return fee ? ((rest - 1n) * PPM) / (PPM - BigInt(fee.ppm)) + 1n : rest
}

/**
 * Returns an upper bound on the worth of all routes after the fee, in wei of the token out. `gasCost`
 * is in units of the token out per gas.
 *
 * With a fee f of the token out, a route that pays x for g gas is worth at most
 * `⌈(1 − f)·x⌉ − p·(g + F)`, and `x − p·g ≤ amount`, so one wei covers the rounding. The bound of a
 * fee of the token in is computed from the amount without it, and only the gas is left.
 */
export function boundAfterFee(amount: bigint, gasCost: number, fee: FeeTerms): bigint {
  const rest = fee.of === 'tokenOut' ? amount - (amount * BigInt(fee.ppm)) / PPM : amount
  return gasCost > 0 ? rest + 1n - BigInt(Math.floor(gasCost * FEE_GAS)) : rest
}

/** The fees that a program can contain. */
export const feeShape: Shape<Fee> = record<Fee>({
  of: choice('tokenIn', 'tokenOut'),
  ppm: number(1, MAX_FEE_PPM),
  recipient: address,
})

/** A fee in one line. */
export function textOfFee(fee: Fee | undefined): string {
  return fee ? `${fee.ppm} ppm of ${fee.of} to ${fee.recipient}` : 'none'
}
