/**
 * Amounts, parts and dollars as people read them. Every sentence of a surface is made with these, so that none
 * has raw wei or the tail of a float.
 */

/** How a token is named and counted. */
export type TokenWords = { readonly symbol: string; readonly decimals: number }

/** Formats wei as an exact decimal amount: `1500000n` with 6 decimals is `1.5`. */
export function formatAmount(wei: bigint, decimals: number): string {
  const digits = (wei < 0n ? -wei : wei).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${wei < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`
}

/** Formats wei with thousands separators, cut (never rounded up) after about `digits` digits. */
export function amountDigits(wei: bigint, decimals: number, digits = 8): string {
  const [units = '0', fraction = ''] = formatAmount(wei, decimals).split('.')
  const zeros = units === '0' ? /^0*/.exec(fraction)![0].length : 0
  const kept = units === '0' ? zeros + digits : Math.max(digits - units.length, 0)
  const shown = fraction.slice(0, kept).replace(/0+$/, '')
  return `${grouped(units)}${shown && `.${shown}`}`
}

/** An amount of a token: `1,250.5 USDC`. */
export function amountWords(wei: bigint, { symbol, decimals }: TokenWords): string {
  return `${amountDigits(wei, decimals)} ${symbol}`
}

/** Basis points as percent with two digits: `55.73 %`. */
export function percentWords(bps: number): string {
  const percent = Math.abs(bps) / 100
  if (percent > 0 && percent < 0.01) return '< 0.01 %'
  return `${(bps / 100).toFixed(2)} %`
}

/** Amounts from here on are shown in exponential notation, because nobody reads so many digits. */
const MANY_USD = 1e15

/** Dollars: `$1,250.50`, with four decimals below one. */
export function usdWords(usd: number): string {
  if (Math.abs(usd) >= MANY_USD) return `$${usd.toExponential(2).replace('e+', 'e')}`
  if (usd > 0 && usd < 0.0001) return '< $0.0001'
  const [units = '0', cents = ''] = usd.toFixed(usd !== 0 && Math.abs(usd) < 1 ? 4 : 2).split('.')
  return `$${grouped(units)}.${cents.replace(/(\d\d)0+$/, '$1')}`
}

/** The two ends of an address, for display only: different addresses may have the same ends. */
export function shortAddress(address: string): string {
  return `${address.slice(0, 8)}…${address.slice(-6)}`
}

function grouped(units: string): string {
  return units.replace(/\B(?=(\d{3})+$)/g, ',')
}
