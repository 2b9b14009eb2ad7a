// Reads the best bid and offer of HyperCore's spot order books through precompiles of the chain. They
// take words without a selector and return ABI-encoded values.

import type { Address, Hex } from '@braid-swap/core'
import { callData, wordAt } from '../reads/abiWords.js'
import type { CallResult } from '../reads/call.js'
import type { Header } from '../reads/headers.js'
import { createReader, type Reader } from '../reads/multicall.js'
import type { Client } from '../transport/client.js'
import { memoryOf } from '../transport/memory.js'
import type { Book } from './book.js'

/** `(asset) → (bid, offer)`. */
const BEST_BID_AND_OFFER: Address = '0x000000000000000000000000000000000000080e'
/** `(spot pair) → (name, (base token, quote token))`. */
const SPOT_INFO: Address = '0x000000000000000000000000000000000000080b'
/** `(token) → (name, spot pairs, fee share, deployer, contract, size decimals, …)`. */
const TOKEN_INFO: Address = '0x000000000000000000000000000000000000080c'

/** Assets of spot pairs are this and the index of the pair. */
const FIRST_SPOT_ASSET = 10_000
/** The prices of a book have this many decimals less the size decimals of its base token. */
const SPOT_DECIMALS = 8
/** The token USDC, which the guarded books are quoted in. */
const QUOTE_TOKEN = 0n

/** Best bid and offer of a whole token, in units; `undefined` if the book has no such price now. */
export type Prices = ReadonlyMap<
  Address,
  { readonly bid: number; readonly offer: number } | undefined
>

/** The size decimals of tokens, which never change. */
const noDecimals = () => new Map<number, number>()

/**
 * The prices of all guarded tokens, by one multicall, and two more for books whose decimals are not
 * known yet; `undefined` if no book answers, which is so on a chain without the precompile. Throws RPC_FAILED.
 */
export async function readPrices(
  client: Client,
  { books, units }: { readonly books: readonly Book[]; readonly units: readonly Address[] },
  header: Header,
): Promise<Prices | undefined> {
  const read = createReader(client, header)
  const answers = await read(books.map(({ asset }) => callOf(BEST_BID_AND_OFFER, asset)))
  const answering = books.filter((_, i) => hasWords(answers[i]!, 2))
  if (answering.length === 0) return undefined
  const known = memoryOf(client, noDecimals)
  await learnDecimals(read, answering, known)
  const one = { bid: 1, offer: 1 }
  return new Map([
    ...units.map((token) => [token, one] as const),
    ...books.map(({ token, asset }, i) => [token, priceOf(answers[i]!, known.get(asset))] as const),
  ])
}

/** Adds the decimals of the books that have none yet; a book whose pair is unreadable keeps none. */
async function learnDecimals(
  read: Reader,
  books: readonly Book[],
  known: Map<number, number>,
): Promise<void> {
  const assets = books.map(({ asset }) => asset).filter((asset) => !known.has(asset))
  if (assets.length === 0) return
  const pairs = await read(assets.map((asset) => callOf(SPOT_INFO, asset - FIRST_SPOT_ASSET)))
  const bases = pairs.flatMap((pair, i) => {
    const isQuoted = hasWords(pair, 4) && wordAt(pair.data, 3) === QUOTE_TOKEN
    return isQuoted ? [{ asset: assets[i]!, token: Number(wordAt(pair.data, 2)) }] : []
  })
  const infos = await read(bases.map(({ token }) => callOf(TOKEN_INFO, token)))
  for (const [i, { asset }] of bases.entries()) {
    const info = infos[i]!
    if (hasWords(info, 9)) known.set(asset, SPOT_DECIMALS - Number(wordAt(info.data, 6)))
  }
}

const callOf = (to: Address, argument: number) => ({
  ...{ to, data: callData('0x' as Hex, argument), mayFail: true as const, isLatest: true as const },
})

const hasWords = ({ success, data }: CallResult, count: number) =>
  success && data.length >= 2 + count * 64

function priceOf(answer: CallResult, decimals: number | undefined) {
  if (decimals === undefined || !hasWords(answer, 2)) return undefined
  const [bid, offer] = [0, 1].map((i) => Number(wordAt(answer.data, i)) / 10 ** decimals)
  return bid! > 0 && offer! >= bid! ? { bid: bid!, offer: offer! } : undefined
}
