import type { Braid } from '@braid-swap/client'
import {
  type Address,
  buildGraph,
  NATIVE,
  type Quote,
  type QuoteOptions,
  quote,
  quoteExactOut,
} from '@braid-swap/core'
import { type DrawnQuote, toDrawnFindings, toDrawnHops, toDrawnQuote } from '../draw/index.js'
import { MismatchError, UnknownTokenError } from '../errors.js'
import type { Terminal } from '../terminal.js'
import { apiOf, feeParameters } from './apiClient.js'
import { figuresOf } from './figures.js'
import { type OpenMarket, openMarket, type SourceOptions, sourceOf } from './marketSource.js'
import { orOffer } from './offer.js'
import { type OrderOptions, readEnds, readExactOut, readOrder } from './order.js'
import { type RouteListOptions, readRouteLists, routeOptions } from './routeLists.js'
import {
  type ListedToken,
  nativeToken,
  parseAddress,
  readTokenFile,
  resolveToken,
} from './tokens.js'

/** A quote from any source, with the tokens needed to draw it. */
export type SourcedQuote = { readonly quote: DrawnQuote; readonly tokens: readonly ListedToken[] }

/** A quote computed locally, with its market. */
export type LocalQuote = SourcedQuote & {
  readonly exact: Omit<Quote, 'bound' | 'estimate'>
  readonly market: OpenMarket
}

/** Gets a quote from the one source that the options name. */
export async function askQuote(
  options: SourceOptions & OrderOptions & RouteListOptions & { readonly maxPriceImpact?: string },
  terminal: Terminal,
  quoteOptions: QuoteOptions,
): Promise<SourcedQuote> {
  if (sourceOf(options) !== 'api') {
    return computeQuote(await openMarket(options, terminal), options, quoteOptions)
  }
  const api = apiOf(options, terminal)
  const tokens = await readApiTokens(api, options)
  const wanted = readExactOut(options, tokens)
  const order = wanted ?? readOrder(options, tokens)
  const { tokenIn, tokenOut } = order
  const { maxPriceImpact } = options
  const request = {
    ...{ src: tokenIn, dst: tokenOut, ...readRouteLists(options, tokens) },
    ...feeParameters(quoteOptions),
    ...(maxPriceImpact !== undefined && { maxPriceImpact }),
    ...({ includeGas: true, includeGraph: true, includeRoutes: true, includeMeta: true } as const),
    includeNearest: true,
  }
  const answer = await ('amountIn' in order
    ? api.quote({ ...request, amount: order.amountIn })
    : api.quote({ ...request, dstAmountExact: order.amountOut }))
  const passed = answer.routes.flatMap(({ path }) => path.map((token) => ({ ...token, name: '' })))
  const { priceImpactBps, bound, warnings } = answer.meta
  return {
    quote: {
      ...{ tokenIn, tokenOut, amountOut: answer.dstAmount },
      ...(priceImpactBps !== null && { priceImpactBps }),
      ...(bound && { gapBps: bound.gapBps }),
      findings: toDrawnFindings(warnings),
      amountIn: 'amountIn' in order ? order.amountIn : srcAmountOf(answer),
      hops: toDrawnHops(answer.graph),
      gas: answer.gas,
      ...(answer.served.blockNumber !== undefined && { block: answer.served.blockNumber }),
    },
    tokens: [...passed, ...tokens],
  }
}

/** The input that an API found for a wanted output. Throws MISMATCH if its answer names none. */
export function srcAmountOf({ srcAmount }: { readonly srcAmount?: bigint | undefined }): bigint {
  if (srcAmount !== undefined) return srcAmount
  throw new MismatchError('the API did not say what must be sold', { wanted: 'srcAmount' })
}

/** Quotes an order on a market. */
export function computeQuote(
  market: OpenMarket,
  options: OrderOptions & RouteListOptions,
  quoteOptions: QuoteOptions,
): LocalQuote {
  const graph = buildGraph(market.snapshot)
  const allOptions = { ...quoteOptions, ...routeOptions(market, options) }
  const wanted = readExactOut(options, market.tokens)
  const { tokens } = market
  const order = wanted ?? readOrder(options, tokens)
  const exact = orOffer(graph, { order, options: routeOptions(market, options), tokens }, () =>
    'amountIn' in order ? quote(graph, order, allOptions) : quoteExactOut(graph, order, allOptions),
  )
  const drawn = { ...toDrawnQuote(exact), ...figuresOf(graph, exact, { tokens }) }
  return { quote: drawn, exact, market, tokens: market.tokens }
}

/**
 * The tokens of an API among which those of the order are. Symbols come from the token file if there
 * is one, and decimals always come from the API.
 */
export async function readApiTokens(
  api: Braid,
  options: Pick<OrderOptions, 'in' | 'out'> & Pick<SourceOptions, 'tokens'>,
): Promise<readonly ListedToken[]> {
  const listed = [nativeToken(), ...(options.tokens ? readTokenFile(options.tokens) : [])]
  const unlisted = [options.in, options.out]
    .flatMap((text) => parseAddress(text) ?? [])
    .filter((token) => !isIn(listed, token))
  const fetched = await Promise.all(unlisted.map((token) => api.token(token)))
  if (!options.tokens) return readListed(api, options, [...listed, ...fetched])
  const first = readEnds(options, [...listed, ...fetched])
  const checked = await confirmDecimals(api, [first.tokenIn, first.tokenOut], listed)
  return [...listed.filter(({ address }) => !isIn(checked, address)), ...fetched, ...checked]
}

// A verified token wins a symbol, because anyone can give another token the same symbol.
async function readListed(
  api: Braid,
  options: Pick<OrderOptions, 'in' | 'out'>,
  fetched: readonly ListedToken[],
) {
  let tokens = fetched
  const isNamed = () => [options.in, options.out].every((text) => isKnown(text, tokens))
  if (!isNamed()) tokens = [...fetched, ...(await api.allTokens({ verified: true }))]
  if (!isNamed()) tokens = [...fetched, ...(await api.allTokens())]
  return tokens
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
async function confirmDecimals(
  api: Braid,
  ends: readonly ListedToken[],
  listed: readonly ListedToken[],
) {
  const doubtful = ends
    .map(({ address }) => address)
    .filter((address) => address !== NATIVE && isIn(listed, address))
  return Promise.all(doubtful.map((token) => api.token(token)))
}

function isIn(tokens: readonly ListedToken[], token: Address): boolean {
  return tokens.some(({ address }) => address === token)
}
