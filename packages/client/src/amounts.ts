// Amounts and addresses as people write and read them.

import { BaseError } from '@braid-swap/core'
import { formatAmount } from '@braid-swap/core/advanced'

export { formatAmount, shortAddress } from '@braid-swap/core/advanced'

/** Most decimals of a token: an ERC-20 reports them in a uint8. */
const MAX_DECIMALS = 255

/**
 * Parses a decimal amount to wei: `1.5` with 6 decimals is `1500000n`. Accepts digits with at most
 * one point and never rounds. Throws BAD_AMOUNT.
 */
export function parseAmount(text: string, decimals: number): bigint {
  const found = /^(\d+)(?:\.(\d+))?$/.exec(text.trim())
  if (!found || decimals < 0 || decimals > MAX_DECIMALS) {
    throw new BadAmountError('not an amount', { got: text, wanted: 'digits such as 12 or 1.5' })
  }
  const [, whole = '0', fraction = ''] = found
  const significant = fraction.replace(/0+$/, '')
  if (significant.length > decimals) {
    throw new BadAmountError('more decimals than the token has', { got: text, wanted: decimals })
  }
  return BigInt(whole + significant.padEnd(decimals, '0'))
}

/**
 * Formats wei with about `digits` significant digits. All whole digits are kept. The fraction is
 * truncated, never rounded up, so that the text never shows more than the amount; `…` marks it.
 */
export function shortAmount(wei: bigint, decimals: number, digits = 8): string {
  const exact = formatAmount(wei, decimals)
  const [whole = '0', fraction = ''] = exact.split('.')
  const zeros = whole === '0' || whole === '-0' ? /^0*/.exec(fraction)![0].length : 0
  const used = whole === '0' || whole === '-0' ? 0 : whole.replace('-', '').length
  const kept = zeros + Math.max(digits - used, 0)
  if (fraction.length <= kept) return exact
  return `${whole}${kept > 0 ? `.${fraction.slice(0, kept)}` : ''}…`
}

/** The text is not an amount of the token. */
export class BadAmountError extends BaseError {
  readonly code = 'BAD_AMOUNT'
}
