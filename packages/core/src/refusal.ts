/**
 * Why the market refuses an order, in words, and what of it would work. Input: the error of a search, the order, the
 * names of tokens. Output: one sentence. Every surface says it with the names that it has, so that none offers less.
 */
import { nearestSales } from './curve/nearestSales.js'
import { BaseError } from './errors.js'
import type { OpaqueGraph } from './graph.js'
import type { Address } from './hex.js'
import { LIMITS } from './judge.js'
import type { PartialOrder } from './order.js'
import type { Options } from './solver/terms.js'
import { amountWords, percentWords, shortAddress, type TokenWords } from './words.js'

const UNFILLED: ReadonlySet<string> = new Set([
  ...['NO_ROUTE', 'ROUTE_UNTRUSTED', 'AMOUNT_TOO_SMALL', 'INSUFFICIENT_LIQUIDITY'],
])

/** True if an error says that the market refuses an order, whose caller did nothing wrong. */
export function isUnfilled(error: unknown): error is BaseError {
  return error instanceof BaseError && UNFILLED.has(error.code)
}

/** The most of an order that sells, in wei, 0 if nothing does, and the most that its owner need not accept a loss for. */
export type Nearest = {
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly atLoss?: Omit<Nearest, 'atLoss'> & { readonly lossBps: number }
}

/** What of an order would work. Takes several searches; throws as the search for the most that sells. */
export function findNearest(market: OpaqueGraph, order: PartialOrder, options: Options): Nearest {
  const lossBps = LIMITS.PRICE_IMPACT_HIGH.ask
  const { most, withinImpact } = nearestSales(market, order, { ...options, impactBps: lossBps })
  if (!most) return { amountIn: 0n, amountOut: 0n }
  const saleOf = ({ order, amountOut }: typeof most) => ({ amountIn: order.amountIn, amountOut })
  return { ...saleOf(most), ...(withinImpact && { atLoss: { lossBps, ...saleOf(withinImpact) } }) }
}

/** The refusal of an order for people: its tokens, what stops it, and what would work if that is known. */
export function refusalWords(
  { code, message, details }: Pick<BaseError, 'code' | 'message' | 'details'>,
  { tokenIn, tokenOut }: PartialOrder,
  {
    wordsOf,
    nearest,
  }: {
    readonly wordsOf: (token: Address) => TokenWords | undefined
    readonly nearest?: Nearest | undefined
  },
): string {
  const nameOf = (token: Address) => wordsOf(token)?.symbol || shortAddress(token)
  const pair = `${nameOf(tokenIn)} to ${nameOf(tokenOut)}`
  if (code === 'ROUTE_UNTRUSTED') {
    const names = untrustedOf(details).map((token) => `${nameOf(token)} (${shortAddress(token)})`)
    return `${pair} is only connected through ${names.join(', ')}, which nobody vouches for`
  }
  const [sold, bought] = [wordsOf(tokenIn), wordsOf(tokenOut)]
  if (!nearest?.amountIn || !sold || !bought) return `${pair}: ${message}`
  const sale = ({ amountIn, amountOut }: Nearest) =>
    `${amountWords(amountIn, sold)} for ${amountWords(amountOut, bought)}`
  const { atLoss } = nearest
  const modest = atLoss
    ? `, and at most ${sale(atLoss)} at a loss of ${percentWords(atLoss.lossBps)}`
    : ''
  return `${pair}: ${message}. It takes ${sale(nearest)}${modest}`
}

/** The tokens that stop an order which only they connect. */
export function untrustedOf(details: BaseError['details']): readonly Address[] {
  return `${details['untrusted'] ?? ''}`.split(',').filter((token) => token !== '') as Address[]
}
