// The figures of a quote for a person. Input: a market and an exact quote on it. Output: its price impact and
// the worth of both amounts in USD. Floats at the reference prices of the market, never used to decide.

import { type Address, type Graph, type Order, priceImpactBps, type Quote } from '@braid-swap/core'
import {
  judge,
  type OwnLimits,
  pricesOfTokens,
  spotAmountOut,
  worthLostBps,
  wrappedOf,
} from '@braid-swap/core/advanced'
import { type QuoteFigures, toDrawnFindings } from '../draw/index.js'
import { chainOf } from '../ownChain.js'
import { type ListedToken, labelsOf } from './tokens.js'

/** Price impact and worth of a quote; a figure that the market does not give is absent. */
export function figuresOf(
  graph: Graph,
  quoted: Judged,
  { tokens, own }: { readonly tokens: readonly ListedToken[]; readonly own?: OwnLimits },
): QuoteFigures {
  const { order, amountOut } = quoted
  const impact = priceImpactBps(quoted, order)
  const [usdIn, usdOut] = [
    usdWorth(graph, order.tokenIn, order.amountIn),
    usdWorth(graph, order.tokenOut, amountOut),
  ]
  return {
    ...(impact !== null && { priceImpactBps: impact }),
    ...(usdIn !== undefined && { usdIn }),
    ...(usdOut !== undefined && { usdOut }),
    findings: toDrawnFindings(judgeQuote(graph, quoted, { tokens, own })),
  }
}

type Judged = Pick<Quote, 'order' | 'route' | 'amountOut' | 'fee' | 'gas'> &
  Partial<Pick<Quote, 'bound'>>

/** The findings of core's judge in a quote of our own. A token that no list of the user has is untrusted. */
export function judgeQuote(
  graph: Graph,
  { order, bound, gas, ...quoted }: Judged,
  {
    tokens,
    own,
  }: { readonly tokens: readonly ListedToken[]; readonly own?: OwnLimits | undefined },
) {
  const { route, amountOut, fee } = quoted
  const labels = labelsOf(tokens)
  const figures = {
    ...{ amountOut, fee, impactBps: priceImpactBps(quoted, order) },
    spotAmountOut: floorOrNone(spotAmountOut(route, order, fee)),
    worthLostBps: worthLostBps(graph, order, amountOut),
    gasCost: bound && floorOrNone(gas * bound.gasCost),
    untrusted: untrustedOn(graph, route, order, tokens),
  }
  return judge(order, figures, { wordsOf: (token) => labels.get(token) }, own)
}

const floorOrNone = (wei: number) => (Number.isFinite(wei) ? BigInt(Math.floor(wei)) : undefined)

function untrustedOn(
  { snapshot }: Graph,
  route: Quote['route'],
  { tokenIn, tokenOut }: Order,
  tokens: readonly ListedToken[],
) {
  const listed = new Set(tokens.flatMap(({ address, isListed }) => (isListed ? address : [])))
  // Without a list of the user's, nobody is vouched for, and each route would be a warning.
  if (listed.size <= 1) return []
  const passed = route.map(({ pool, direction }) => pool.tokens[direction.out]!)
  // The chain's own wrapped token needs no list, as in the policy of routes.
  const trusted = new Set([...listed, tokenIn, tokenOut, snapshot.wrappedNative])
  const isOpen = (token: Address) => !trusted.has(token)
  return [...new Set(passed)].filter(isOpen)
}

function usdWorth(graph: Graph, token: Address, wei: bigint): number | undefined {
  const { tokens, wrappedNative, chainId } = graph.snapshot
  const prices = pricesOfTokens(graph)
  const price = prices.get(wrappedOf(token, wrappedNative))
  const usd = chainOf(chainId)?.usdTokens.find((address) => prices.has(address))
  const decimals = tokens.find(({ address }) => address === usd)?.decimals
  if (price === undefined || usd === undefined || decimals === undefined) return undefined
  const worth = (Number(wei) * price) / (prices.get(usd)! * 10 ** decimals)
  return Number.isFinite(worth) ? Number(worth.toPrecision(6)) : undefined
}
