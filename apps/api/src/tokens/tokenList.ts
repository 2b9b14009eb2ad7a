import { readFileSync } from 'node:fs'
import { type Address, BaseError } from '@braid-swap/core'
import { z } from 'zod'

const listSchema = z.object({
  tokens: z.array(
    z.object({
      chainId: z.int(),
      address: z.string().regex(/^0x[a-fA-F0-9]{40}$/),
      symbol: z.string(),
      name: z.string(),
      decimals: z.int(),
      logoURI: z.string().optional(),
      extensions: z.looseObject({ unsupported: z.string().optional() }).optional(),
    }),
  ),
})

/** The operator's entry for a token. */
export type ListedToken = {
  readonly symbol?: string
  readonly name?: string
  readonly logoURI?: string | undefined
  /** Why the token is not traded, such as a transfer fee, rebasing or a pause; absent if it is. */
  readonly unsupported?: string | undefined
}

/** Tokens the operator has verified, by lower-case address. */
export type TokenList = ReadonlyMap<Address, ListedToken>

/** The list shipped with the API. */
export const defaultTokenListFile = new URL('../../tokenlist.json', import.meta.url)

/** The tokens of one chain in a Uniswap token-list file. Throws {@link TokenListError}. */
export function readTokenList(file: string | URL, chainId: number): TokenList {
  try {
    const { tokens } = listSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    return new Map(
      tokens
        .filter((token) => token.chainId === chainId)
        .map(({ address, symbol, name, logoURI, extensions }) => [
          address.toLowerCase() as Address,
          { symbol, name, logoURI, unsupported: extensions?.unsupported },
        ]),
    )
  } catch (cause) {
    throw new TokenListError(`${file}`, cause)
  }
}

/** The token list is missing or not in the token-list format. */
export class TokenListError extends BaseError {
  readonly code = 'TOKEN_LIST_UNREADABLE'

  constructor(file: string, cause: unknown) {
    super(`the token list ${file} is missing or not in the token-list format`, { file }, cause)
  }
}
