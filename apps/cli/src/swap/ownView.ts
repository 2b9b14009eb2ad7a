import { type Client, readTokens, WHYPE } from '@braid-swap/chain'
import type { Braid } from '@braid-swap/client'
import {
  type Address,
  AmountTooSmallError,
  buildGraph,
  floorOf,
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
import { readSlippagePpm } from './slippage.js'

// The caller's own view of an order, independent of the API that builds its swap: the tokens, their
// decimals, the time, and the least output.

type ViewOptions = SourceOptions & OrderOptions & FloorOptions & { readonly slippage: string }

/** An order, and the values that its swap is checked against. */
export type OwnView = {
  readonly order: Order
  readonly tokens: readonly ListedToken[]
  /** Unix seconds from which the deadline counts. */
  readonly now: bigint
  /** In wei of the token out; `undefined` only if neither a node nor a floor was given. */
  readonly ownFloor: bigint | undefined
}

/**
 * The order and the caller's own floor: from `--min` or `--min-rate` if given, else from our own quote
 * on the state of `--rpc`, less the slippage. The API's tokens and the local clock are used only if
 * there is no node. Throws ROUTER_UNVERIFIED, NO_OWN_FLOOR, RPC_FAILED.
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
  const [read, block] = await askNode(() =>
    Promise.all([readTokens(client, [...named]), client.getBlock()]),
  )
  // Symbols come from the list, but decimals, which determine the amount, come from the contract.
  const tokens = read.map(
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
    throw new NoOwnFloorError(`our own quote failed: ${cause.message}`, cause)
  }
}

function isNoQuote(error: unknown): error is Error {
  const kinds = [UnknownTokenError, NoRouteError, AmountTooSmallError, InsufficientLiquidityError]
  return kinds.some((kind) => error instanceof kind)
}
