import type { Braid } from '@braid-swap/client'
import {
  type Address,
  buildGraph,
  NATIVE,
  type Options,
  type Order,
  type Quote,
  quote,
  quoteExactOut,
} from '@braid-swap/core'
import { type DrawnQuote, drawnHops, drawnQuote } from '@braid-swap/draw'
import { UnknownTokenError } from '../errors.js'
import { type OrderOptions, readExactOut, readOrder } from '../order.js'
import type { Terminal } from '../terminal.js'
import { apiOf } from './apiClient.js'
import { type OpenMarket, openMarket, type SourceOptions, sourceOf } from './marketSource.js'
import { type ListedToken, nativeToken, readTokenFile, resolveToken } from './tokens.js'

/** A quote from any source, with the tokens needed to draw it. */
export type Answer = { readonly quote: DrawnQuote; readonly tokens: readonly ListedToken[] }

/** A quote computed locally, with its market. */
export type LocalAnswer = Answer & {
  readonly exact: Omit<Quote, 'bound' | 'estimate'>
  readonly market: OpenMarket
}

/** An order for an amount to sell or to buy. */
export type QuotedOptions = OrderOptions & { readonly amountOut?: string }

/** Gets a quote from the one source that the options name. */
export async function askQuote(
  options: SourceOptions & QuotedOptions,
  terminal: Terminal,
  terms: Options,
): Promise<Answer> {
  if (sourceOf(options) !== 'api') {
    return computeQuote(await openMarket(options, terminal), options, terms)
  }
  const api = apiOf(options, terminal)
  // The amount to buy needs the decimals of its token, so the tokens are read first.
  const hasAmount = options.amount !== undefined || options.amountWei !== undefined
  const isExactOut = options.amountOut !== undefined && !hasAmount
  // Any amount to sell will do, because only the tokens are read.
  const named = isExactOut ? { ...options, amount: '1' } : options
  const { order, tokens } = await readApiOrder(api, named)
  const wanted = readExactOut(options, tokens)
  const { tokenIn: src, tokenOut: dst, amountIn: amount } = order
  const flags = { includeGas: true, includeGraph: true, includeRoutes: true } as const
  const answer = await (wanted
    ? api.quote({ src, dst, dstAmountExact: wanted.amountOut, ...flags })
    : api.quote({ src, dst, amount, ...flags }))
  const passed = answer.routes.flatMap(({ path }) => path.map((token) => ({ ...token, name: '' })))
  return {
    quote: {
      ...order,
      ...(answer.srcAmount !== undefined && { amountIn: answer.srcAmount }),
      amountOut: answer.dstAmount,
      hops: drawnHops(answer.graph),
      gas: answer.gas,
      ...(answer.served.blockNumber !== undefined && { block: answer.served.blockNumber }),
    },
    tokens: [...passed, ...tokens],
  }
}

/** Quotes an order on a market. */
export function computeQuote(
  market: OpenMarket,
  options: QuotedOptions,
  terms: Options,
): LocalAnswer {
  const graph = buildGraph(market.snapshot)
  const wanted = readExactOut(options, market.tokens)
  const exact = wanted
    ? quoteExactOut(graph, wanted, terms)
    : quote(graph, readOrder(options, market.tokens), terms)
  return { quote: drawnQuote(exact), exact, market, tokens: market.tokens }
}

/**
 * Builds an order with the tokens of an API. Symbols come from the token file if there is one, and
 * decimals always come from the API.
 */
export async function readApiOrder(
  api: Braid,
  options: OrderOptions & Pick<SourceOptions, 'tokens'>,
): Promise<{ readonly order: Order; readonly tokens: readonly ListedToken[] }> {
  const listed = [nativeToken, ...(options.tokens ? readTokenFile(options.tokens) : [])]
  const asked = [options.in, options.out].flatMap((text) =>
    /^0x[0-9a-fA-F]{40}$/.test(text) ? [text.toLowerCase() as Address] : [],
  )
  const unlisted = asked.filter((token) => !listed.some(({ address }) => address === token))
  const fetched = await Promise.all(unlisted.map((token) => api.token(token)))
  if (!options.tokens) return readListedOrder(api, options, [...listed, ...fetched])
  const first = readOrder(options, [...listed, ...fetched])
  const checked = await confirmDecimals(api, first, listed)
  const tokens = [
    ...listed.filter(({ address }) => !isIn(checked, address)),
    ...fetched,
    ...checked,
  ]
  return { order: readOrder(options, tokens), tokens }
}

// A verified token wins a symbol, because anyone can give another token the same symbol.
async function readListedOrder(api: Braid, options: OrderOptions, fetched: readonly ListedToken[]) {
  let tokens = fetched
  const isNamed = () => [options.in, options.out].every((text) => isKnown(text, tokens))
  if (!isNamed()) tokens = [...fetched, ...(await api.allTokens({ verified: true }))]
  if (!isNamed()) tokens = [...fetched, ...(await api.allTokens())]
  return { order: readOrder(options, tokens), tokens }
}

function isKnown(text: string, tokens: readonly ListedToken[]): boolean {
  try {
    return resolveToken(text, tokens) !== undefined
  } catch (error) {
    if (error instanceof UnknownTokenError) return false
    throw error
  }
}

// Wrong decimals in a file would make the amount wrong by a power of ten.
async function confirmDecimals(api: Braid, order: Order, listed: readonly ListedToken[]) {
  const ends = [order.tokenIn, order.tokenOut].filter((token) => token !== NATIVE)
  const doubtful = ends.filter((token) => isIn(listed, token))
  return Promise.all(doubtful.map((token) => api.token(token)))
}

function isIn(tokens: readonly ListedToken[], token: Address): boolean {
  return tokens.some(({ address }) => address === token)
}
