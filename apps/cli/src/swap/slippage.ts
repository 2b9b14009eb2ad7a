import type { Address } from '@braid-swap/core'
import { parseAmount } from '@braid-swap/draw'
import { UsageError } from '../errors.js'
import { parseAddress } from '../sources/tokens.js'

const MAX_SLIPPAGE_PPM = 500_000n
const PPM_DECIMALS_OF_PERCENT = 4

/** Converts slippage from percent to ppm; more than 4 decimals are refused, not rounded. */
export function readSlippagePpm(percent: string): bigint {
  const ppm = parseAmount(percent, PPM_DECIMALS_OF_PERCENT)
  if (ppm > MAX_SLIPPAGE_PPM) {
    throw new UsageError('--slippage is out of range', { got: percent, wanted: '0 to 50, percent' })
  }
  return ppm
}

/** Parses an address; throws USAGE. */
export function readAddress(name: string, text: string): Address {
  const address = parseAddress(text)
  if (address) return address
  throw new UsageError(`${name} is not an address`, { got: text, wanted: '0x and 40 hex digits' })
}
