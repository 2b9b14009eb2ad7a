import { type Client, readTokens, WHYPE } from '@braid-swap/chain'
import type { Braid } from '@braid-swap/client'
import {
  type Address,
  AmountTooSmallError,
  buildGraph,
  InsufficientLiquidityError,
  NoRouteError,
  type Order,
  quote,
} from '@braid-swap/core'
import { NoOwnFloorError, UnknownTokenError } from '../errors.js'
import { type OrderOptions, readOrder } from '../order.js'
import { loadMarket, openClient, type SourceOptions } from '../sources/marketSource.js'
import { askNode } from '../sources/node.js'
import { readApiOrder } from '../sources/quoteSource.js'
import { type ListedToken, nativeToken, readTokenFile } from '../sources/tokens.js'
import type { Terminal } from '../terminal.js'
import { type FloorOptions, readFloor, saysFloor } from './ownFloor.js'
import { type KnownRouter, requireRouter } from './router.js'
import { floorOf, readSlippagePpm } from './slippage.js'

// What is known of an order without believing the API that is asked to fill it: which tokens it
// means, how many decimals they have, what time it is, and the least that it must bring.

type ViewOptions = SourceOptions & OrderOptions & FloorOptions & { readonly slippage: string }

/** An order, and what its swap is held against. */
export type OwnView = {
  readonly order: Order
  readonly tokens: readonly ListedToken[]
  /** Unix seconds from which the deadline counts. */
  readonly now: bigint
  /** In wei of the token out; `undefined` only where no node and no floor was named. */
  readonly ownFloor: bigint | undefined
}

/**
 * The order and its own floor: by `--min` or `--min-rate` where they are given, else by a quote of our
 * own on the state of `--rpc` less the slippage. Only without a node are the API's tokens and this
 * machine's clock taken. Throws ROUTER_UNVERIFIED, NO_OWN_FLOOR, RPC_FAILED.
 */
export async function readOwnView(
  {
    options,
    api,
    known,
  }: { readonly options: ViewOptions; readonly api: Braid; readonly known: KnownRouter },
  terminal: Terminal,
): Promise<OwnView> {
  if (options.rpc === undefined) {
    const { order, tokens } = await readApiOrder(api, options)
    const now = BigInt(Math.floor(Date.now() / 1_000))
    return { order, tokens, now, ownFloor: readFloor(options, order, tokens) }
  }
  const client = openClient(options.rpc)
  await requireRouter(client, known, WHYPE)
  return saysFloor(options)
    ? readByNode(client, options)
    : quoteByNode(options.rpc, options, terminal)
}

async function readByNode(client: Client, options: ViewOptions): Promise<OwnView> {
  const listed = [nativeToken, ...(options.tokens ? readTokenFile(options.tokens) : [])]
  const typed = [options.in, options.out].flatMap((text) =>
    /^0x[0-9a-fA-F]{40}$/.test(text) ? [text.toLowerCase() as Address] : [],
  )
  const named = new Set([...listed.map(({ address }) => address), ...typed])
  const [told, block] = await askNode(() =>
    Promise.all([readTokens(client, [...named]), client.getBlock()]),
  )
  // Names are the list's; decimals, which make an amount, are the token's own.
  const tokens = told.map(
    (token): ListedToken => ({
      ...token,
      symbol: listed.find(({ address }) => address === token.address)?.symbol ?? token.symbol,
    }),
  )
  const order = readOrder(options, tokens)
  return { order, tokens, now: block.timestamp, ownFloor: readFloor(options, order, tokens) }
}

async function quoteByNode(
  rpcUrl: string,
  options: ViewOptions,
  terminal: Terminal,
): Promise<OwnView> {
  const { snapshot, tokens } = await loadMarket(rpcUrl, options, terminal)
  try {
    const order = readOrder(options, tokens)
    const ownFloor = floorOf(quote(buildGraph(snapshot), order), readSlippagePpm(options.slippage))
    return { order, tokens, now: snapshot.block.timestamp, ownFloor }
  } catch (cause) {
    if (!isNoQuote(cause)) throw cause
    throw new NoOwnFloorError(`our own node cannot quote it: ${cause.message}`, cause)
  }
}

function isNoQuote(error: unknown): error is Error {
  const kinds = [UnknownTokenError, NoRouteError, AmountTooSmallError, InsufficientLiquidityError]
  return kinds.some((kind) => error instanceof kind)
}
