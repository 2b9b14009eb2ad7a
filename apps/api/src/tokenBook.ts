import { type Client, readTokens, type TokenText } from '@braid-swap/chain'
import { type Address, NATIVE } from '@braid-swap/core'
import { askNode } from './node.js'
import type { TokenList } from './tokenList.js'
import { showAddress } from './wire/addresses.js'
import type { TokenInfo } from './wire/responses.js'

/** Names and symbols of tokens: read from the chain once, joined with the operator's list. */
export type TokenBook = {
  /** Texts of those that are tokens, by address; the others are absent. Throws UPSTREAM_RPC. */
  readonly read: (addresses: readonly Address[]) => Promise<ReadonlyMap<Address, TokenText>>
  readonly infoOf: (text: TokenText) => TokenInfo
  /** Whether the operator's list has it; the native token always is. */
  readonly isVerified: (address: Address) => boolean
}

const MOST_KEPT = 50_000

/** A book that reads the tokens it does not know through `client`. */
export function createTokenBook(
  client: Client,
  { list, timeoutMs }: { readonly list: TokenList; readonly timeoutMs: number },
): TokenBook {
  const texts = new Map<Address, TokenText>()
  const { symbol, name, decimals } = client.chain.nativeCurrency
  texts.set(NATIVE, { address: NATIVE, symbol, name, decimals })
  const read = async (addresses: readonly Address[]) => {
    const missing = [...new Set(addresses)].filter((address) => !texts.has(address))
    if (missing.length > 0) {
      // An answer that comes after the time for it is kept all the same: of a long list asked again,
      // the node is asked no more.
      const keep = async () => {
        for (const text of await readTokens(client, missing)) texts.set(text.address, text)
      }
      await askNode(keep, timeoutMs)
    }
    const wanted = new Map(addresses.flatMap((a) => (texts.has(a) ? [[a, texts.get(a)!]] : [])))
    // Addresses come from callers: what they can make us remember is bounded, oldest out first.
    for (const [address] of texts) {
      if (texts.size <= MOST_KEPT) break
      if (address !== NATIVE) texts.delete(address)
    }
    return wanted
  }
  return {
    read,
    infoOf: ({ address, symbol, name, decimals }) => ({
      address: showAddress(address),
      symbol,
      name,
      decimals,
      logoUri: list.get(address)?.logoURI ?? null,
    }),
    isVerified: (address) => address === NATIVE || list.has(address),
  }
}
