import { formatAmount, shortAddress } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import { toUnambiguous } from './readAmount.js'

/** A token as the page knows it. */
export type PageToken = {
  readonly address: Address
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly verified: boolean
  readonly sellPriceUsd?: number | null | undefined
}

/** The tokens of the market by lower-case address. */
export type Tokens = ReadonlyMap<Address, PageToken>

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

const MAX_SYMBOL = 20

/**
 * The token with a symbol of one short word, because its contract may give a whole sentence. Without a
 * symbol, it is the shortened address.
 */
export function withSymbol(token: PageToken): PageToken {
  const word = token.symbol.replace(/\s/g, '')
  const symbol = word.length > MAX_SYMBOL ? `${word.slice(0, MAX_SYMBOL)}…` : word
  return { ...token, symbol: symbol || shortAddress(token.address) }
}

/** Formats wei with thousands separators, cut (never rounded up) after about `digits` digits. */
export function amountText(wei: bigint, decimals: number, digits = 8): string {
  const [units = '0', fraction = ''] = formatAmount(wei, decimals).split('.')
  const zeros = units === '0' ? /^0*/.exec(fraction)![0].length : 0
  const kept = units === '0' ? zeros + digits : Math.max(digits - units.length, 0)
  const shown = fraction.slice(0, Math.max(kept, 0)).replace(/0+$/, '')
  return `${whole.format(BigInt(units))}${shown && `.${shown}`}`
}

/** Formats wei for the amount field: every digit, in a form that is read back without doubt. */
export function fieldText(wei: bigint, decimals: number): string {
  return toUnambiguous(formatAmount(wei, decimals))
}

/** The symbol of a token, or its shortened address. */
export function symbolOf(token: Address, tokens: Tokens): string {
  // Before the symbols are loaded, an address would flash up and disappear.
  if (tokens.size === 0) return '…'
  return tokens.get(token)?.symbol ?? shortAddress(token)
}

/** Whole tokens as a float: approximate, for pictures and prices only. */
export function toFloat(wei: bigint, decimals: number): number {
  return Number(wei) / 10 ** decimals
}

/** Amounts from here on are shown in exponential notation, because nobody reads so many digits. */
const MANY_USD = 1e15

/** Formats dollars. */
export function usdText(usd: number): string {
  if (Math.abs(usd) >= MANY_USD) return `$${usd.toExponential(2).replace('e+', 'e')}`
  if (usd > 0 && usd < 0.0001) return '< $0.0001'
  const digits = usd !== 0 && Math.abs(usd) < 1 ? 4 : 2
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: digits })}`
}

/** Formats basis points as percent, with the significant digits. */
export function bpsText(bps: number): string {
  const percent = bps / 100
  if (Math.abs(percent) < 0.0001) return '< 0.0001 %'
  const places = Math.abs(percent) < 0.1 ? 4 : 2
  return `${percent.toFixed(places)} %`
}

/** The distance of `amount` below `best`, in basis points. */
export function shortfallBps(amount: bigint, best: bigint): number {
  return best === 0n ? 0 : Number(((best - amount) * 1_000_000n) / best) / 100
}

/** Formats a share (a fraction of 1) as percent. */
export function partText(part: number): string {
  const percent = part * 100
  return `${percent >= 99.995 || percent === 0 ? percent.toFixed(0) : percent < 0.01 ? '< 0.01' : percent.toFixed(percent < 10 ? 2 : 1)} %`
}
