// 0x's form of amounts, routes and errors, by its published OpenAPI document.

import type { Order, Route } from '@braid-swap/core'
import { tokenInOf, tokenOutOf } from '../../wire/graph.js'
import type { ErrorBody } from '../../wire/responses.js'

const WHOLE_BPS = 10_000n

/**
 * The hops of a route as fills: each with its part of all that is sold of its token, in basis points
 * that sum to 10,000 for each token.
 */
export function showRoute(
  hops: Route,
  { tokenIn, tokenOut }: Order,
  symbols: ReadonlyMap<string, { readonly symbol: string }>,
) {
  const sum = (to: Map<string, bigint>, { token, add }: { token: string; add: bigint }) =>
    to.set(token, (to.get(token) ?? 0n) + add).get(token)!
  const [sold, shown] = [new Map<string, bigint>(), new Map<string, bigint>()]
  for (const hop of hops) sum(sold, { token: tokenInOf(hop), add: hop.amountIn })
  const fills = hops.map((hop) => {
    const token = tokenInOf(hop)
    const after = sum(shown, { token, add: hop.amountIn })
    const whole = sold.get(token)!
    const bpsOf = (part: bigint) => whole && (part * WHOLE_BPS) / whole
    const proportionBps = `${bpsOf(after) - bpsOf(after - hop.amountIn)}`
    return { from: token, to: tokenOutOf(hop), source: hop.pool.venue, proportionBps }
  })
  const passed = new Set([tokenIn, ...hops.map(tokenInOf), ...hops.map(tokenOutOf), tokenOut])
  const tokens = [...passed].map((address) => {
    return { address, symbol: symbols.get(address)?.symbol ?? '' }
  })
  return { fills, tokens }
}

/** The integrator's fee, of which amounts are net, if one is paid. */
export function showFees(fee: { readonly amount: string; readonly token: string } | undefined) {
  const paid = fee && { amount: fee.amount, token: fee.token.toLowerCase(), type: 'volume' }
  return { integratorFee: paid ?? null, integratorFees: paid ? [paid] : [], zeroExFee: null }
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['TOKEN_UNSUPPORTED', 'TOKEN_NOT_SUPPORTED'],
  ['RECEIVER_REFUSED', 'RECIPIENT_NOT_SUPPORTED'],
  ['INTERNAL', 'INTERNAL_SERVER_ERROR'],
])

/** The error in 0x's terms: its names for the codes that it has too. */
export function showError({ statusCode, code, requestId, issues }: ErrorBody) {
  const name = NAMES.get(code) ?? (statusCode === 400 ? 'INPUT_INVALID' : code)
  const details = issues.map(({ path: field, message: reason }) => ({ field, reason }))
  return { name, data: { zid: requestId, details } }
}
