import { formatAmount, shortAddress } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import { toUnambiguous } from './readAmount.js'

export {
  amountDigits as amountText,
  percentWords as bpsText,
  usdWords as usdText,
} from '@braid-swap/core/advanced'

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

/** True for a rate that people read the other way round: 98,540 USDC for 1 UBTC, not 0.0000101 UBTC for 1 USDC. */
export function isTiny(rate: number): boolean {
  return rate < 0.1
}

/** A difference too small for basis points of two digits is still one. */
export const LEAST_BPS = 0.01

/** The distance of `amount` below `best`, in basis points. */
export function shortfallBps(amount: bigint, best: bigint): number {
  return best === 0n ? 0 : Number(((best - amount) * 1_000_000n) / best) / 100
}

/** Formats a share (a fraction of 1) as percent. */
export function partText(part: number): string {
  const percent = part * 100
  return `${percent >= 99.995 || percent === 0 ? percent.toFixed(0) : percent < 0.01 ? '< 0.01' : percent.toFixed(percent < 10 ? 2 : 1)} %`
}
