import { parseAmount } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import { UsageError } from '../errors.js'
import { parseAddress } from '../sources/tokens.js'

const MAX_PERCENT = 50n
const PPM_DECIMALS_OF_PERCENT = 4

/** Converts slippage from percent to ppm; more than 4 decimals are refused, not rounded. Throws USAGE. */
export const readSlippagePpm = (percent: string): bigint =>
  readPercent('--slippage', percent, PPM_DECIMALS_OF_PERCENT)

/**
 * Reads a percentage of an option, 0 to 50, in units of its last decimal; more decimals are refused, not
 * rounded. Throws USAGE.
 */
export function readPercent(name: string, text: string, decimals: number): bigint {
  const isPercent = new RegExp(`^\\d+(\\.\\d{1,${decimals}}0*)?$`).test(text.trim())
  const units = isPercent ? parseAmount(text, decimals) : undefined
  if (units !== undefined && units <= MAX_PERCENT * 10n ** BigInt(decimals)) return units
  throw new UsageError(`${name} is not such a percentage`, {
    ...{ got: text, wanted: `0 to ${MAX_PERCENT}, with at most ${decimals} decimals` },
  })
}

/** `--max-price-impact` in basis points; undefined without one. Throws USAGE. */
export function readImpactLimit(percent: string | undefined): number | undefined {
  return percent === undefined ? undefined : Number(readPercent('--max-price-impact', percent, 2))
}

/** Parses an address; throws USAGE. */
export function readAddress(name: string, text: string): Address {
  const address = parseAddress(text)
  if (address) return address
  throw new UsageError(`${name} is not an address`, { got: text, wanted: '0x and 40 hex digits' })
}
