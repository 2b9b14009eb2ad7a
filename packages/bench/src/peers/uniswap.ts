import { estimateGas, getAmountOut } from '@braid-swap/core/families'
import type { Edge } from '../edges.js'
import { decimalsOf, type Market } from '../market.js'
import type { Request } from '../request.js'
import { bestOf, hopsOfFlows } from '../routers/pathSplit.js'
import type { Answer, Router } from '../routers/router.js'
import { candidateRoutes } from './candidates.js'
import { requirePeer } from './packages.js'

const PERCENTS = Array.from({ length: 20 }, (_, i) => (i + 1) * 5)
const MAX_SPLITS = 7
const MAINNET = 1

const NAME = 'Uniswap SOR (5 %, ≤ 7)'

/**
 * Uniswap's own split search from npm on exact local quotes. A price-aware selection replaces its
 * candidates, our exact maths its on-chain quoter, and our estimates its gas model. The fixed gas
 * of the transaction is equal for every route and omitted.
 */
export const uniswap: Router = {
  name: NAME,
  ready: (market) => {
    const library = loadLibrary()
    return { name: NAME, capsLegs: false, quote: (request) => quote(library, market, request) }
  },
}

async function quote(
  library: Library,
  market: Market,
  request: Request,
): Promise<Answer | undefined> {
  const routes = candidateRoutes(market, request.order)
  const toToken = (address: string, decimals: number) =>
    new library.Token(MAINNET, address, decimals)
  const tokenIn = toToken(request.order.tokenIn, decimalsOf(market, request.order.tokenIn))
  const tokenOut = toToken(request.order.tokenOut, decimalsOf(market, request.order.tokenOut))
  // Used only in a log line, but the library fails on a token with more decimals than its dollar.
  const dollar = toToken(request.order.tokenOut, 6)
  const amountOf = (token: unknown, wei: bigint) =>
    library.CurrencyAmount.fromRawAmount(token, `${wei}`)
  // The fields that the search and its log lines read; a V2 route needs no pool objects.
  const route = {
    protocol: 'V2',
    input: tokenIn,
    output: tokenOut,
    path: [tokenIn, tokenOut],
    pairs: [],
    chainId: MAINNET,
  }
  const byPercent: Record<number, RouteWithQuote[]> = {}
  for (const percent of PERCENTS) {
    const amountIn = (request.order.amountIn * BigInt(percent)) / 100n
    byPercent[percent] = routes.flatMap((edges) => {
      const quoted = quotePath(edges, amountIn)
      if (!quoted) return []
      const gasWei = BigInt(Math.round(quoted.gas * request.gasCost))
      return {
        edges,
        percent,
        protocol: 'V2',
        route,
        amount: amountOf(tokenIn, amountIn),
        quote: amountOf(tokenOut, quoted.out),
        quoteAdjustedForGas: amountOf(tokenOut, quoted.out - gasWei),
        quoteToken: tokenOut,
        gasEstimate: library.BigNumber.from(Math.round(quoted.gas)),
        gasCostInToken: amountOf(tokenOut, gasWei),
        gasCostInUSD: amountOf(dollar, 0n),
        poolIdentifiers: edges.map(({ pool }) => pool.id),
        tokenPath: [tokenIn, tokenOut],
      }
    })
  }
  const best = await library.getBestSwapRouteBy(
    0,
    byPercent,
    PERCENTS,
    MAINNET,
    (rated) => rated.quoteAdjustedForGas,
    { minSplits: 1, maxSplits: MAX_SPLITS, forceCrossProtocol: false },
    { getRouteWithQuotePortionAdjusted: (_type, chosen) => chosen },
  )
  if (!best) return undefined
  const flows = best.routes.map(({ edges, percent }) => ({ path: edges, amount: percent }))
  const hops = bestOf(request, [hopsOfFlows(request, flows)])
  return hops && { hops }
}

function quotePath(
  edges: readonly Edge[],
  amountIn: bigint,
): { readonly out: bigint; readonly gas: number } | undefined {
  let x = amountIn
  let gas = 0
  for (const { pool, direction } of edges) {
    const out = getAmountOut(pool, direction, x)
    if (out === 0n) return undefined
    gas += estimateGas(pool, direction, x)
    x = out
  }
  return { out: x, gas }
}

function loadLibrary(): Library {
  // Load the package's root first, because its modules have circular imports.
  requirePeer('@uniswap/smart-order-router')
  const search = requirePeer(
    '@uniswap/smart-order-router/build/main/routers/alpha-router/functions/best-swap-route.js',
  ) as Pick<Library, 'getBestSwapRouteBy'>
  const sdk = requirePeer('@uniswap/sdk-core') as Pick<Library, 'Token'>
  const amounts = requirePeer('@uniswap/smart-order-router/build/main/util/amounts.js') as Pick<
    Library,
    'CurrencyAmount'
  >
  const numbers = requirePeer('@ethersproject/bignumber') as Pick<Library, 'BigNumber'>
  return {
    getBestSwapRouteBy: search.getBestSwapRouteBy,
    Token: sdk.Token,
    CurrencyAmount: amounts.CurrencyAmount,
    BigNumber: numbers.BigNumber,
  }
}

type RouteWithQuote = {
  readonly edges: readonly Edge[]
  readonly percent: number
  readonly quoteAdjustedForGas: unknown
}

type Library = {
  readonly Token: new (chainId: number, address: string, decimals: number) => unknown
  readonly CurrencyAmount: { readonly fromRawAmount: (token: unknown, wei: string) => unknown }
  readonly BigNumber: { readonly from: (value: number) => unknown }
  readonly getBestSwapRouteBy: (
    tradeType: number,
    byPercent: Readonly<Record<number, readonly RouteWithQuote[]>>,
    percents: readonly number[],
    chainId: number,
    by: (rated: RouteWithQuote) => unknown,
    config: {
      readonly minSplits: number
      readonly maxSplits: number
      readonly forceCrossProtocol: boolean
    },
    portion: {
      readonly getRouteWithQuotePortionAdjusted: (
        tradeType: number,
        routes: readonly RouteWithQuote[],
      ) => readonly RouteWithQuote[]
    },
  ) => Promise<{ readonly routes: readonly RouteWithQuote[] } | undefined>
}
