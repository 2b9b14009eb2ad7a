import type { Address, Hop, Order, Route } from '@braid-swap/core'
import { mulDivDown } from '@braid-swap/core/families'
import { tokenInOf, tokenOutOf } from './graph.js'
import { toPercents } from './percents.js'

/** One parallel path through a route, with its part of the amounts, in wei. */
export type PathShare = {
  readonly hops: readonly Hop[]
  readonly percent: number
  readonly amountIn: bigint
  readonly amountOut: bigint
}

/**
 * Flow decomposition of a route into paths: repeatedly removes the widest path. If flows mix at a
 * token, outputs are attributed to inputs pro rata. This describes the route; it is not what
 * executes. The amounts sum to the order's and to `received`, by default the route's output, and the
 * percentages to 100. An integrator's fee, by which `received` is below what the pools pay, is taken
 * off every path pro rata.
 */
export function splitIntoPaths(
  route: Route,
  order: Order,
  received?: bigint,
): readonly PathShare[] {
  const paid = paidBy(route, order)
  const total = received ?? paid
  const flow = attribute(route, order)
  const left = new Map(flow)
  const paths: { hops: readonly Hop[]; amountIn: bigint; amountOut: bigint }[] = []
  for (;;) {
    const hops = widestPath(route, left, order)
    if (hops.length === 0) break
    const amountIn = hops.reduce((least, hop) => min(least, left.get(hop)!), order.amountIn)
    for (const hop of hops) left.set(hop, left.get(hop)! - amountIn)
    const last = hops.at(-1)!
    const gross = mulDivDown(last.amountOut, amountIn, flow.get(last)!)
    paths.push({ hops, amountIn, amountOut: mulDivDown(gross, total, paid) })
  }
  giveRest(paths, total)
  const percents = toPercents(paths.map((path) => path.amountIn))
  return paths.map((path, index) => ({ ...path, percent: percents[index]! }))
}

/** For every hop, the wei of the order's input that flow through it: a conserved integer flow. */
function attribute(route: Route, order: Order): ReadonlyMap<Hop, bigint> {
  const flow = new Map<Hop, bigint>()
  const arrived = new Map<Address, bigint>([[order.tokenIn, order.amountIn]])
  const waiting = new Map<Address, bigint>()
  for (const hop of route) {
    const token = tokenInOf(hop)
    waiting.set(token, (waiting.get(token) ?? 0n) + hop.amountIn)
  }
  for (const hop of route) {
    const token = tokenInOf(hop)
    const behind = arrived.get(token) ?? 0n
    const part = mulDivDown(behind, hop.amountIn, waiting.get(token)!)
    flow.set(hop, part)
    arrived.set(token, behind - part)
    waiting.set(token, waiting.get(token)! - hop.amountIn)
    arrived.set(tokenOutOf(hop), (arrived.get(tokenOutOf(hop)) ?? 0n) + part)
  }
  return flow
}

/** The widest path from token in to token out: the one whose narrowest hop has the most flow. */
function widestPath(route: Route, left: ReadonlyMap<Hop, bigint>, order: Order): readonly Hop[] {
  const best = new Map<Address, { width: bigint; hops: readonly Hop[] }>()
  best.set(order.tokenIn, { width: order.amountIn, hops: [] })
  for (const hop of route) {
    const before = best.get(tokenInOf(hop))
    const width = min(before?.width ?? 0n, left.get(hop)!)
    const known = best.get(tokenOutOf(hop))
    if (!before || width === 0n || (known && known.width >= width)) continue
    best.set(tokenOutOf(hop), { width, hops: [...before.hops, hop] })
  }
  return best.get(order.tokenOut)?.hops ?? []
}

/** Sums the wei of the token out that the pools pay. */
function paidBy(route: Route, { tokenOut }: Order): bigint {
  return route
    .filter((hop) => tokenOutOf(hop) === tokenOut)
    .reduce((sum, hop) => sum + hop.amountOut, 0n)
}

/** Adds the output lost by rounding down to the widest path. */
function giveRest(paths: { amountOut: bigint }[], total: bigint): void {
  const given = paths.reduce((sum, path) => sum + path.amountOut, 0n)
  const [widest] = paths
  if (widest) widest.amountOut += total - given
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
