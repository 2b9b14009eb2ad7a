import { type Client, readTokens } from '@braid-swap/chain'
import type { Braid } from '@braid-swap/client'
import { buildGraph, type Graph, type QuoteOptions, quote, quoteExactOut } from '@braid-swap/core'
import { floorOf, isUnfilled, raisedBy } from '@braid-swap/core/advanced'
import { NoOwnLimitError, UnknownTokenError } from '../errors.js'
import { loadMarket, openClient, type SourceOptions } from '../sources/marketSource.js'
import { callNode } from '../sources/node.js'
import { readApiTokens } from '../sources/quoteSource.js'
import { type RouteListOptions, routeOptions } from '../sources/routeLists.js'
import {
  type ListedToken,
  nativeToken,
  parseAddress,
  readTokenFile,
  requireDecimals,
} from '../sources/tokens.js'
import type { Terminal } from '../terminal.js'
import { type FeeOptions, readFee } from './fee.js'
import { limitOf, type OwnTerms, readTerms, saysLimit, type TermOptions } from './ownTerms.js'
import { type KnownRouter, requireRouter } from './router.js'
import { readSlippagePpm } from './slippage.js'

// The caller's own view of an order, independent of the API that builds its swap: the tokens, their
// decimals, the time, and the limit on what is paid or received.

type ViewOptions = SourceOptions &
  TermOptions &
  RouteListOptions &
  FeeOptions & { readonly slippage: string }

/** The caller's own limit, tokens and time, which a swap is checked against. */
export type OwnView = {
  /** Without a limit only if neither a node nor a limit was given. */
  readonly terms: OwnTerms
  readonly tokens: readonly ListedToken[]
  /** Unix seconds from which the deadline counts. */
  readonly now: bigint
}

/**
 * The caller's own terms: the limit comes from `--min`, `--min-rate` or `--max-amount-in` if given,
 * else from our own quote on the state of `--rpc` and the slippage. The API's tokens and the local
 * clock are used only if there is no node. Throws ROUTER_UNVERIFIED, NO_OWN_FLOOR, NO_OWN_MAXIMUM,
 * RPC_FAILED.
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
    const tokens = await readApiTokens(api, options)
    const now = BigInt(Math.floor(Date.now() / 1_000))
    return { terms: readTerms(options, tokens), tokens, now }
  }
  const client = openClient(options.rpc, options)
  await requireRouter(client, known)
  return saysLimit(options)
    ? readByNode(client, options)
    : quoteByNode(options.rpc, options, terminal)
}

async function readByNode(client: Client, options: ViewOptions): Promise<OwnView> {
  const listed = [nativeToken(), ...(options.tokens ? readTokenFile(options.tokens) : [])]
  const typed = [options.in, options.out].flatMap((text) => parseAddress(text) ?? [])
  const named = new Set([...listed.map(({ address }) => address), ...typed])
  const [read, block] = await callNode(() =>
    Promise.all([readTokens(client, [...named]), client.getBlock()]),
  )
  // Symbols come from the list, but decimals, which determine the amount, come from the contract.
  const tokens = read.map((token): ListedToken => {
    const known = listed.find(({ address }) => address === token.address)
    requireDecimals(token, known)
    return { ...token, ...known }
  })
  return { terms: readTerms(options, tokens), tokens, now: block.timestamp }
}

async function quoteByNode(
  rpcUrl: string,
  options: ViewOptions,
  terminal: Terminal,
): Promise<OwnView> {
  const { snapshot, tokens } = await loadMarket(rpcUrl, options, terminal)
  try {
    // A limit from other routes than the swap may take would refuse the swap.
    const lists = {
      ...routeOptions({ snapshot, tokens }, options),
      ...readFee(options),
    }
    const given = readTerms(options, tokens)
    const terms = quotedTerms(buildGraph(snapshot), given, { ...options, lists })
    return { terms, tokens, now: snapshot.block.timestamp }
  } catch (cause) {
    if (!isUnfilled(cause) && !(cause instanceof UnknownTokenError)) throw cause
    const why = `our own quote failed: ${cause.message}`
    throw new NoOwnLimitError(limitOf(options), why, cause)
  }
}

/** The terms with the limit of our own quote and the slippage. */
function quotedTerms(
  graph: Graph,
  terms: OwnTerms,
  { slippage, lists }: Pick<ViewOptions, 'slippage'> & { readonly lists: QuoteOptions },
): OwnTerms {
  const ppm = readSlippagePpm(slippage)
  if ('order' in terms)
    return { ...terms, ownFloor: floorOf(quote(graph, terms.order, lists), ppm) }
  const least = quoteExactOut(graph, terms.wanted, lists)
  return { ...terms, ownMaximum: raisedBy({ ...least, amountIn: least.order.amountIn }, ppm) }
}
