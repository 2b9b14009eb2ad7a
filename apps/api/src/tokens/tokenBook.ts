import { type Client, readTokens, steadyMs, type TokenText } from '@braid-swap/chain'
import { type Address, NATIVE } from '@braid-swap/core'
import { callNode } from '../node/callNode.js'
import { showAddress } from '../wire/addresses.js'
import type { TokenInfo } from '../wire/responses.js'
import type { TokenList } from './tokenList.js'

/** Token metadata: read from the chain once, combined with the operator's list. */
export type TokenBook = {
  /** Metadata by address; addresses that are no tokens are absent. Throws UPSTREAM_RPC. */
  readonly read: (addresses: readonly Address[]) => Promise<ReadonlyMap<Address, TokenText>>
  /** True if the node need not be asked: the token was read, or was found to be none within the last minute. */
  readonly isKnown: (address: Address) => boolean
  readonly infoOf: (text: TokenText) => TokenInfo
  /** True if the operator's list has the token. The native token is always verified. */
  readonly isVerified: (address: Address) => boolean
}

/** Reads names and decimals; addresses that are no tokens are left out. */
export type ReadTexts = (addresses: readonly Address[]) => Promise<readonly TokenText[]>

const MAX_KEPT = 50_000
/** Time for which an address that is no token is not asked for again; a token may be deployed there later. */
const MISS_MS = 60_000

/** Creates a cache that reads unknown tokens with `readTexts`, by default through `client`. */
export function createTokenBook(
  client: Client,
  {
    list,
    timeoutMs,
    readTexts = (addresses) => readTokens(client, addresses),
    now = steadyMs,
  }: {
    readonly list: TokenList
    readonly timeoutMs: number
    readonly readTexts?: ReadTexts | undefined
    readonly now?: () => number
  },
): TokenBook {
  const texts = new Map<Address, TokenText>()
  const { symbol, name, decimals } = client.chain.nativeCurrency
  texts.set(NATIVE, { address: NATIVE, symbol, name, decimals })
  /** When each address that is no token was asked for, the oldest first. */
  const misses = new Map<Address, number>()
  const isMissed = (address: Address) => {
    const atMs = misses.get(address)
    return atMs !== undefined && now() - atMs < MISS_MS
  }
  const isKnown = (address: Address) => texts.has(address) || isMissed(address)
  const read = async (addresses: readonly Address[]) => {
    const missing = [...new Set(addresses)].filter((address) => !isKnown(address))
    if (missing.length > 0) {
      // A response after the timeout is cached too, so a second request for a long list succeeds
      // without the node.
      const keep = async () => {
        for (const text of await readTexts(missing)) texts.set(text.address, text)
        for (const address of missing) {
          misses.delete(address)
          if (!texts.has(address)) misses.set(address, now())
        }
      }
      await callNode(keep, timeoutMs)
    }
    const wanted = new Map(addresses.flatMap((a) => (texts.has(a) ? [[a, texts.get(a)!]] : [])))
    // Addresses come from callers, so the cache has a bound; the oldest entries leave first.
    for (const [address] of texts) {
      if (texts.size <= MAX_KEPT) break
      if (address !== NATIVE) texts.delete(address)
    }
    for (const [address] of misses) {
      if (misses.size <= MAX_KEPT) break
      misses.delete(address)
    }
    return wanted
  }
  return {
    read,
    isKnown,
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
