import { type Client, readTokens, type TokenText } from '@braid-swap/chain'
import { type Address, NATIVE } from '@braid-swap/core'
import { callNode } from '../node/callNode.js'
import { showAddress } from '../wire/addresses.js'
import type { TokenInfo } from '../wire/responses.js'
import type { TokenList } from './tokenList.js'

/** Token metadata: read from the chain once, combined with the operator's list. */
export type TokenBook = {
  /** Metadata by address; addresses that are no tokens are absent. Throws UPSTREAM_RPC. */
  readonly read: (addresses: readonly Address[]) => Promise<ReadonlyMap<Address, TokenText>>
  readonly infoOf: (text: TokenText) => TokenInfo
  /** True if the operator's list has the token. The native token is always verified. */
  readonly isVerified: (address: Address) => boolean
}

const MAX_KEPT = 50_000

/** Creates a cache that reads unknown tokens through `client`. */
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
      // A response after the timeout is cached too, so a second request for a long list succeeds
      // without the node.
      const keep = async () => {
        for (const text of await readTokens(client, missing)) texts.set(text.address, text)
      }
      await callNode(keep, timeoutMs)
    }
    const wanted = new Map(addresses.flatMap((a) => (texts.has(a) ? [[a, texts.get(a)!]] : [])))
    // Addresses come from callers, so the cache has a bound; the oldest entries leave first.
    for (const [address] of texts) {
      if (texts.size <= MAX_KEPT) break
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
