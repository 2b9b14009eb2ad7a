// The least rate of a hop: a decimal float of 64 bits, below which the executor reverts. So a pool whose rate
// somebody moves takes at most the slippage of its own share of an order, at any amount.

import { type Hex, sliceHex, toHex } from '../hex.js'

const MANTISSA_BYTES = 7
const MAX_MANTISSA = (1n << 56n) - 1n
/** Beyond 10⁷⁷ the executor's powers of ten do not fit in 256 bits. */
const MAX_EXPONENT = 77

/** Bytes of a least rate in a program: `mantissa:uint56 exponent:int8`. */
export const LEAST_RATE_BYTES = MANTISSA_BYTES + 1

/**
 * The largest least rate that is not above `amountOut / amountIn`; `undefined` if there is none above 0. Neither
 * number needs to be wei: only their ratio counts.
 */
export function leastRateOf(amountOut: bigint, amountIn: bigint): Hex | undefined {
  if (amountOut <= 0n || amountIn <= 0n) return undefined
  // The number of digits tells the exponent but for one.
  let exponent = `${amountOut}`.length - `${amountIn}`.length - `${MAX_MANTISSA}`.length
  exponent = Math.max(exponent, -MAX_EXPONENT)
  let mantissa = scaled(amountOut, amountIn, exponent)
  for (; mantissa > MAX_MANTISSA; exponent++) {
    mantissa = scaled(amountOut, amountIn, exponent + 1)
  }
  if (mantissa === 0n || exponent > MAX_EXPONENT) return undefined
  return `${toHex(mantissa, MANTISSA_BYTES)}${toHex(exponent & 0xff, 1).slice(2)}`
}

/** floor(amountOut / amountIn / 10^exponent) */
function scaled(amountOut: bigint, amountIn: bigint, exponent: number): bigint {
  const power = 10n ** BigInt(Math.abs(exponent))
  return exponent < 0 ? (amountOut * power) / amountIn : amountOut / (amountIn * power)
}

/** The least amount out of a hop for `amountIn` wei, rounded down as the executor does. */
export function leastOut(rate: Hex, amountIn: bigint): bigint {
  const [wei, ofWei] = ratioOf(rate)
  return (amountIn * wei) / ofWei
}

/** The rate times a ratio, rounded down; `undefined` if it falls to 0. */
export function lessRate(rate: Hex, [part, of]: readonly [bigint, bigint]): Hex | undefined {
  const [wei, ofWei] = ratioOf(rate)
  return leastRateOf(wei * part, ofWei * of)
}

/** The wei out of the rate, and for how many in. */
function ratioOf(rate: Hex): readonly [bigint, bigint] {
  const mantissa = BigInt(sliceHex(rate, 0, MANTISSA_BYTES))
  const byte = BigInt(sliceHex(rate, MANTISSA_BYTES, LEAST_RATE_BYTES))
  const exponent = BigInt.asIntN(8, byte)
  return exponent < 0n ? [mantissa, 10n ** -exponent] : [mantissa * 10n ** exponent, 1n]
}
