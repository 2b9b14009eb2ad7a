import { shortAddress } from '@braid-swap/client'
import { type Address, NATIVE } from '@braid-swap/core'
import { z } from 'zod'
import type { TokenLabels } from '../draw/index.js'
import { AmbiguousTokenError, MismatchError, UnknownTokenError } from '../errors.js'
import { chainOf, ownChain } from '../ownChain.js'
import { plainText } from '../terminal.js'
import { readFileAs } from './files.js'

/** A token as in a token file. */
export type ListedToken = {
  readonly address: Address
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  /** From a list of the user, or native: it wins its symbol, which anyone can give another token. */
  readonly isListed?: true
}

/** Name and decimals of a chain's native token, because no contract reports them. */
export function nativeToken(chainId = ownChain().id): ListedToken {
  const unnamed = { symbol: 'native', name: 'native token', decimals: 18 }
  return { address: NATIVE, ...(chainOf(chainId)?.native ?? unnamed), isListed: true }
}

/** An address of a file, in lower case. */
export const addressSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase() as Address)

/** A text as an address in lower case; `undefined` if it is none. */
export function parseAddress(text: string): Address | undefined {
  return /^0x[0-9a-fA-F]{40}$/.test(text) ? (text.toLowerCase() as Address) : undefined
}

const entry = z
  .object({
    address: addressSchema,
    symbol: z.string().max(64).transform(plainText),
    name: z.string().max(256).default('').transform(plainText),
    decimals: z.int().min(0).max(255),
  })
  .transform((token): ListedToken => ({ ...token, isListed: true }))
const file = z.union([z.array(entry), z.object({ tokens: z.array(entry) })])

/** The tokens in a file: a JSON array, or a token list with `tokens`. Throws FILE_UNREADABLE. */
export function readTokenFile(path: string): readonly ListedToken[] {
  const form = 'a JSON array of { address, symbol, decimals }'
  const parsed = readFileAs(path, form, (text) => file.parse(JSON.parse(text)))
  return Array.isArray(parsed) ? parsed : parsed.tokens
}

/**
 * Throws MISMATCH if a node or a snapshot reports other decimals than the user's own list: with fewer, a
 * floor in whole tokens would be worth almost nothing.
 */
export function requireDecimals(
  { address, decimals }: Pick<ListedToken, 'address' | 'decimals'>,
  known: ListedToken | undefined,
): void {
  if (!known?.isListed || known.decimals === decimals) return
  throw new MismatchError('the decimals of a token differ from your list of tokens', {
    ...{ token: address, got: decimals, wanted: known.decimals },
  })
}

/** The decimals of both ends of an order, for a program that reads its amounts; absent where they are unknown. */
export function decimalsOf(
  { tokenIn, tokenOut }: { readonly tokenIn: Address; readonly tokenOut: Address },
  tokens: readonly ListedToken[],
): { readonly decimalsIn?: number; readonly decimalsOut?: number } {
  const of = (token: Address) => tokens.find(({ address }) => address === token)?.decimals
  const [decimalsIn, decimalsOut] = [of(tokenIn), of(tokenOut)]
  return {
    ...(decimalsIn !== undefined && { decimalsIn }),
    ...(decimalsOut !== undefined && { decimalsOut }),
  }
}

/**
 * The token that the user means by `native`, an address or a symbol. A symbol is looked up among the
 * native and the listed tokens before all others; each time it is matched exactly first, then without
 * case, then with look-alike letters of stablecoins replaced. If several tokens match, it throws, because
 * anyone can give a token any name. Throws UNKNOWN_TOKEN, AMBIGUOUS_TOKEN.
 */
export function resolveToken(text: string, tokens: readonly ListedToken[]): ListedToken {
  const known = new Map(tokens.map((token) => [token.address, token]))
  const address = text.toLowerCase() === 'native' ? NATIVE : text.toLowerCase()
  if (/^0x[0-9a-f]{40}$/.test(address)) {
    const token = known.get(address as Address)
    if (!token) throw new UnknownTokenError(`no token ${text} in this market`, { got: text })
    return token
  }
  const all = [...known.values()]
  const listed = all.filter(({ isListed }) => isListed)
  for (const [among, fold] of [listed, all].flatMap((some) =>
    FOLDS.map((f) => [some, f] as const),
  )) {
    const found = among.filter(({ symbol }) => fold(symbol) === fold(text))
    if (found.length > 1) {
      const wanted = found.map((token) => token.address).join(', ')
      throw new AmbiguousTokenError(`several tokens have the symbol ${text}: use the address`, {
        got: text,
        wanted,
      })
    }
    if (found[0]) return found[0]
  }
  // Symbols are strangers' words, so they stand apart from the sentence.
  const symbols = all.map(({ symbol }) => symbol).filter((symbol) => symbol !== '')
  throw new UnknownTokenError(`no known token has the symbol ${text}`, {
    ...{ got: text, wanted: 'native, an address, one of `symbols`, or one of --tokens FILE' },
    symbols: symbols.join(', '),
  })
}

/** The labels to draw with. */
export function labelsOf(tokens: readonly ListedToken[]): TokenLabels {
  return new Map(
    tokens.map(({ address, symbol, decimals }) => [
      address,
      { symbol: symbol || shortAddress(address), decimals },
    ]),
  )
}

const FOLDS = [keepText, lowerCase, foldTugrik]

function keepText(text: string): string {
  return text
}

function lowerCase(text: string): string {
  return text.toLowerCase()
}

// Tether writes its T as a tugrik sign, which is not on keyboards.
function foldTugrik(text: string): string {
  return lowerCase(text.replaceAll('₮', 'T'))
}
