/**
 * Warns of tokens that nobody verified. Anyone can create a token with any name, so the page warns of
 * each one outside the operator's list, and gravely of one that has the symbol of a listed token.
 */
import { shortAddress } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import type { PageToken, Tokens } from '../format.js'
import type { Caution } from './guards.js'

/** The verified token whose symbol an unverified one has, if it has one. */
export function findImitated(token: PageToken, tokens: Tokens): PageToken | undefined {
  if (token.verified) return undefined
  const own = skeleton(token.symbol)
  return [...tokens.values()].find(
    ({ verified, symbol }) => verified && own !== '' && skeleton(symbol) === own,
  )
}

/** The cautions for the tokens of an order. */
export function tokenCautions(order: readonly Address[], tokens: Tokens): readonly Caution[] {
  return order.flatMap((address) => {
    const token = tokens.get(address)
    if (!token || token.verified) return []
    const short = shortAddress(address)
    const name = token.symbol === short ? short : `${token.symbol} (${short})`
    const original = findImitated(token, tokens)
    const text = original
      ? `${name} is not the verified ${original.symbol}: it only has the same symbol.`
      : `${name} is not verified by the operator. Anyone can create a token with this name: check its address.`
    return [{ text, isGrave: original !== undefined }]
  })
}

/** Signs that look like letters of symbols. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map([
  ...[...'₮т'].map((sign) => [sign, 't'] as const),
  ...[...'0о'].map((sign) => [sign, 'o'] as const),
  ...[...'1iі|'].map((sign) => [sign, 'l'] as const),
  ...[...'с¢'].map((sign) => [sign, 'c'] as const),
  ...[...'ѕ$'].map((sign) => [sign, 's'] as const),
  ...[...'е€'].map((sign) => [sign, 'e'] as const),
  ...[...'а'].map((sign) => [sign, 'a'] as const),
  ...[...'р'].map((sign) => [sign, 'p'] as const),
  ...[...'ԁ'].map((sign) => [sign, 'd'] as const),
  ...[...'н'].map((sign) => [sign, 'h'] as const),
  ...[...'у'].map((sign) => [sign, 'y'] as const),
])

/** A symbol without case, accents, punctuation and look-alikes: equal for symbols that look equal. */
function skeleton(symbol: string): string {
  return [...symbol.normalize('NFKD').toLowerCase()]
    .map((sign) => LOOKALIKES.get(sign) ?? sign)
    .filter((sign) => /[a-z0-9]/.test(sign))
    .join('')
}
