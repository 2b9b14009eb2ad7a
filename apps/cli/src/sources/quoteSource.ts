import type { Braid } from '@braid-swap/client'
import {
  type Address,
  buildGraph,
  NATIVE,
  type Options,
  type Order,
  type Quote,
  quote,
} from '@braid-swap/core'
import { type DrawnQuote, drawnHops, drawnQuote } from '@braid-swap/draw'
import { UnknownTokenError } from '../errors.js'
import { type OrderOptions, readOrder } from '../order.js'
import type { Terminal } from '../terminal.js'
import { apiOf } from './apiClient.js'
import { type OpenMarket, openMarket, type SourceOptions, sourceOf } from './marketSource.js'
import { type ListedToken, nativeToken, readTokenFile, resolveToken } from './tokens.js'

/** A quote from wherever it was asked, with the tokens to draw it with. */
export type Answer = { readonly quote: DrawnQuote; readonly tokens: readonly ListedToken[] }

/** A quote computed here, with the market it was computed on. */
export type LocalAnswer = Answer & { readonly exact: Quote; readonly market: OpenMarket }

/** The quote of the one source that the options name. */
export async function askQuote(
  options: SourceOptions & OrderOptions,
  terminal: Terminal,
  terms: Options,
): Promise<Answer> {
  if (sourceOf(options) !== 'api') {
    return computeQuote(await openMarket(options, terminal), options, terms)
  }
  const api = apiOf(options, terminal)
  const { order, tokens } = await readApiOrder(api, options)
  const { tokenIn: src, tokenOut: dst, amountIn: amount } = order
  const flags = { includeGas: true, includeGraph: true, includeRoutes: true } as const
  const told = await api.quote({ src, dst, amount, ...flags })
  const named = told.routes.flatMap(({ path }) => path.map((token) => ({ ...token, name: '' })))
  return {
    quote: {
      ...order,
      amountOut: told.dstAmount,
      hops: drawnHops(told.graph),
      gas: told.gas,
      ...(told.served.blockNumber !== undefined && { block: told.served.blockNumber }),
    },
    tokens: [...named, ...tokens],
  }
}

/** The quote of an order on a market. */
export function computeQuote(
  market: OpenMarket,
  options: OrderOptions,
  terms: Options,
): LocalAnswer {
  const order = readOrder(options, market.tokens)
  const exact = quote(buildGraph(market.snapshot), order, terms)
  return { quote: drawnQuote(exact), exact, market, tokens: market.tokens }
}

/**
 * An order for an API, whose tokens it is asked about: symbols are taken from a token file if there
 * is one, decimals always from the API.
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
  const told = await Promise.all(unlisted.map((token) => api.token(token)))
  if (!options.tokens) return readListedOrder(api, options, [...listed, ...told])
  const first = readOrder(options, [...listed, ...told])
  const checked = await confirmDecimals(api, first, listed)
  const tokens = [...listed.filter(({ address }) => !isIn(checked, address)), ...told, ...checked]
  return { order: readOrder(options, tokens), tokens }
}

// A symbol means a verified token where there is one: anybody may give another the same name.
async function readListedOrder(api: Braid, options: OrderOptions, told: readonly ListedToken[]) {
  let tokens = told
  const isNamed = () => [options.in, options.out].every((text) => isKnown(text, tokens))
  if (!isNamed()) tokens = [...told, ...(await api.allTokens({ verified: true }))]
  if (!isNamed()) tokens = [...told, ...(await api.allTokens())]
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

// A wrong decimals in a file would make the amount wrong by a power of ten.
async function confirmDecimals(api: Braid, order: Order, listed: readonly ListedToken[]) {
  const ends = [order.tokenIn, order.tokenOut].filter((token) => token !== NATIVE)
  const doubtful = ends.filter((token) => isIn(listed, token))
  return Promise.all(doubtful.map((token) => api.token(token)))
}

function isIn(tokens: readonly ListedToken[], token: Address): boolean {
  return tokens.some(({ address }) => address === token)
}
