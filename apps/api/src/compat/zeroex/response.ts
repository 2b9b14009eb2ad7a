// 0x's form of prices, quotes and errors, by its published OpenAPI document.

import type { Order, Route } from '@braid-swap/core'
import { z } from 'zod'
import type { ErrorCode } from '../../errors.js'
import { address, amount, hex } from '../../wire/fields.js'
import { tokenInOf, tokenOutOf } from '../../wire/graph.js'
import type { ErrorBody } from '../../wire/responses.js'

const taxes = z.strictObject({
  ...{ buyTaxBps: amount, sellTaxBps: amount, transferTaxBps: amount },
})
const route = z.strictObject({
  fills: z.array(
    z.strictObject({ from: address, to: address, source: z.string(), proportionBps: amount }),
  ),
  tokens: z.array(z.strictObject({ address, symbol: z.string() })),
})
const fee = z.strictObject({ amount, token: address, type: z.literal('volume') })
const fees = { integratorFee: fee.nullable(), integratorFees: z.array(fee), zeroExFee: z.null() }
const common = {
  allowanceTarget: address,
  blockNumber: amount,
  buyAmount: amount,
  buyToken: address,
  issues: z.strictObject({
    allowance: z.strictObject({ actual: amount, spender: address }).nullable(),
    balance: z.strictObject({ token: address, actual: amount, expected: amount }).nullable(),
    simulationIncomplete: z.boolean(),
    invalidSourcesPassed: z.array(z.string()),
  }),
  liquidityAvailable: z.literal(true),
  sellToken: address,
  tokenMetadata: z.strictObject({ buyToken: taxes, sellToken: taxes }),
  totalNetworkFee: amount,
  zid: z.string(),
}
const exactIn = {
  ...common,
  fees: z.strictObject({ ...fees, gasFee: z.null() }),
  minBuyAmount: amount,
  mode: z.literal('exact-in'),
  route,
  sellAmount: amount,
}
const exactOut = {
  ...common,
  fees: z.strictObject(fees),
  estimatedNetSellAmount: amount,
  mode: z.literal('exact-out'),
  routes: z.strictObject({ forward: route, refund: route }),
  maxSellAmount: amount,
}
const gas = { gas: amount, gasPrice: amount }
const transaction = z.strictObject({ to: address, data: hex, ...gas, value: amount })
const unavailable = z.strictObject({ liquidityAvailable: z.literal(false), zid: z.string() })

/** The body of `/price`. */
export const priceSchema = z.union([
  z.strictObject({ ...exactIn, ...gas }),
  z.strictObject({ ...exactOut, ...gas }),
  unavailable,
])

/** The body of `/quote`. */
export const quoteSchema = z.union([
  z.strictObject({ ...exactIn, transaction }),
  z.strictObject({ ...exactOut, transaction }),
  unavailable,
])

const WHOLE_BPS = 10_000n

/**
 * The hops of a route as fills: each with its part of all that is sold of its token, in basis points
 * that sum to 10,000 for each token.
 */
export function showRoute(
  hops: Route,
  { tokenIn, tokenOut }: Order,
  symbols: ReadonlyMap<string, string>,
): z.infer<typeof route> {
  const sold = new Map<string, bigint>()
  for (const hop of hops) {
    sold.set(tokenInOf(hop), (sold.get(tokenInOf(hop)) ?? 0n) + hop.amountIn)
  }
  const shown = new Map<string, bigint>()
  const fills = hops.map((hop) => {
    const token = tokenInOf(hop)
    const before = shown.get(token) ?? 0n
    const after = before + hop.amountIn
    shown.set(token, after)
    const whole = sold.get(token)!
    const bps = whole && (after * WHOLE_BPS) / whole - (before * WHOLE_BPS) / whole
    const ends = { from: token, to: tokenOutOf(hop) }
    return { ...ends, source: hop.pool.venue, proportionBps: `${bps}` }
  })
  const tokens = new Set([tokenIn, ...hops.map(tokenInOf), ...hops.map(tokenOutOf), tokenOut])
  return {
    fills,
    tokens: [...tokens].map((token) => ({ address: token, symbol: symbols.get(token) ?? '' })),
  }
}

/** Tokens that take a tax are refused, so there is none. */
const NO_TAX = { buyTaxBps: '0', sellTaxBps: '0', transferTaxBps: '0' }

/** An integrator's fee, if the caller asks for one; nothing else is taken from a swap. */
function showFees(paid: Trade['fee']) {
  const integratorFee = paid
    ? { amount: paid.amount, token: paid.token.toLowerCase(), type: 'volume' as const }
    : null
  return { integratorFee, integratorFees: integratorFee ? [integratorFee] : [], zeroExFee: null }
}

/** The fields of one direction. */
export type Trade = {
  readonly order: Order
  readonly route: z.infer<typeof route>
  readonly buyAmount: bigint
  readonly minBuyAmount: bigint
  /** The fee of an integrator, of which the amounts are net. */
  readonly fee?: Pick<z.infer<typeof fee>, 'amount' | 'token'> | undefined
  /** Only if the output was given: the wanted output, and what is sold for it. */
  readonly exact?: { readonly maxSellAmount: bigint; readonly buyAmount: bigint } | undefined
}

/** The amounts and the route. What an exact output leaves of its input is swapped too, so no refund. */
export function showTrade({ order, route: forward, exact, fee: paid, ...sold }: Trade) {
  const taken = showFees(paid)
  if (exact) {
    const maxSellAmount = `${exact.maxSellAmount}`
    return {
      mode: 'exact-out' as const,
      buyAmount: `${exact.buyAmount}`,
      ...{ maxSellAmount, estimatedNetSellAmount: maxSellAmount },
      fees: taken,
      routes: { forward, refund: { fills: [], tokens: [] } },
    }
  }
  return {
    mode: 'exact-in' as const,
    sellAmount: `${order.amountIn}`,
    ...{ buyAmount: `${sold.buyAmount}`, minBuyAmount: `${sold.minBuyAmount}` },
    fees: { ...taken, gasFee: null },
    route: forward,
  }
}

/** Both tokens of a trade. */
export const tokenMetadata = { buyToken: NO_TAX, sellToken: NO_TAX }

/** Codes that say that the market cannot fill an order, which 0x answers with 200. */
export const UNFILLABLE: ReadonlySet<ErrorCode> = new Set([
  ...(['NO_ROUTE', 'INSUFFICIENT_LIQUIDITY', 'AMOUNT_TOO_SMALL'] as const),
])

const NAMES: ReadonlyMap<string, string> = new Map([
  ['TOKEN_UNSUPPORTED', 'TOKEN_NOT_SUPPORTED'],
  ['RECEIVER_REFUSED', 'RECIPIENT_NOT_SUPPORTED'],
  ['INTERNAL', 'INTERNAL_SERVER_ERROR'],
])

/** Errors have these beside our fields. */
export const errorFields = {
  name: z.string(),
  data: z.strictObject({
    zid: z.string(),
    details: z.array(z.strictObject({ field: z.string(), reason: z.string() })),
  }),
}

/** The error in 0x's terms: its names for the codes that it has too. */
export function showError({ statusCode, code, requestId, issues }: ErrorBody) {
  const name = NAMES.get(code) ?? (statusCode === 400 ? 'INPUT_INVALID' : code)
  const details = issues.map(({ path: field, message: reason }) => ({ field, reason }))
  return { name, data: { zid: requestId, details } }
}
