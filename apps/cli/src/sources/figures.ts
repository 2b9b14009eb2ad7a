// The figures of a quote for a person. Input: a market and an exact quote on it. Output: its price impact and
// the worth of both amounts in USD. Floats at the reference prices of the market, never used to decide.

import { type Address, type Graph, priceImpactBps, type Quote } from '@braid-swap/core'
import { pricesOfTokens, wrappedOf } from '@braid-swap/core/advanced'
import type { QuoteFigures } from '../draw/index.js'

/** USDC, then USDT0 on HyperEVM: the first of them that the market prices stands for a US dollar. */
const USD_TOKENS: readonly Address[] = [
  '0xb88339cb7199b77e23db6e890353e22632ba630f',
  '0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb',
]

/** Price impact and worth of a quote; a figure that the market does not give is absent. */
export function figuresOf(
  graph: Graph,
  quoted: Pick<Quote, 'order' | 'route' | 'amountOut' | 'fee'>,
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
  }
}

function usdWorth(graph: Graph, token: Address, wei: bigint): number | undefined {
  const { tokens, wrappedNative } = graph.snapshot
  const prices = pricesOfTokens(graph)
  const price = prices.get(wrappedOf(token, wrappedNative))
  const usd = USD_TOKENS.find((address) => prices.has(address))
  const decimals = tokens.find(({ address }) => address === usd)?.decimals
  if (price === undefined || usd === undefined || decimals === undefined) return undefined
  const worth = (Number(wei) * price) / (prices.get(usd)! * 10 ** decimals)
  return Number.isFinite(worth) ? Number(worth.toPrecision(6)) : undefined
}
