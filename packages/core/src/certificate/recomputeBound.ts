/**
 * Independent check of a certificate. Input: snapshot, order and {@link Bound}. Output: the bound
 * recomputed from its prices, its price of a leg and its open edges alone. It shares the curves with the
 * solver and no other code, so a fault of the solver cannot hide here.
 */
import { boundAfterFee, lessFee } from '../fee.js'
import type { Address } from '../hex.js'
import type { Order, PoolOrder } from '../order.js'
import { ROUTER_GAS } from '../replay.js'
import type { Snapshot } from '../snapshot.js'
import type { Bound } from './bound.js'
import { badBound, checkedOrderOf, checkTerms } from './checkCertificate.js'
import { bestSimplePath, bestWalks, withinHops } from './recomputePaths.js'
import { bestTrade, type UsableEdge, usableEdges } from './usableEdges.js'

// The margin of a bound (docs/solver.md): a fraction of the sizes of its terms, a fraction of the
// value that the hops trade, and one wei.
const MARGIN = 1e-9
const TURNOVER_MARGIN = 1e-12

/** The parts that a bound is made of, in units of the token out. */
type Parts = {
  /** The worth of the amount in on its way, and the least that every way costs. */
  readonly carried: number
  readonly unpaid: number
  /** The most that each hop adds, and the value that all of them trade. */
  readonly nets: readonly number[]
  readonly traded: number
}

/**
 * Recomputes a certificate from its prices and the snapshot. The result is an upper bound, in wei
 * of the token out and rounded up, on the worth of any acyclic route over the pools not set aside,
 * on the bound's own terms, which `checkBound` holds against the caller's. A bound is sound if the result is not above
 * its `amount`. The native token is traded as the wrapped one. Throws BAD_ORDER, and BAD_BOUND if a token that a route
 * could pass has no price, if the terms are none, or if it covers no pool.
 *
 * A route is one hop between the two tokens, whose output is known, or at least two hops. The bound
 * of the latter is what the amount carries, plus the L highest nets. The router's own gas is subtracted
 * in both cases. An integrator's fee and its gas are subtracted last.
 */
export function recomputeBound(snapshot: Snapshot, order: Order, bound: Bound): bigint {
  checkTerms(bound)
  const inner = checkedOrderOf(order, snapshot)
  const { fee, gasCost } = bound
  if (!fee) return boundOf(snapshot, inner, bound)
  const sold = fee.of === 'tokenIn' ? lessFee(order.amountIn, fee) : order.amountIn
  const gross = boundOf(snapshot, { ...inner, amountIn: sold }, bound)
  return boundAfterFee(gross, gasCost, fee)
}

/** The bound without an integrator's fee. */
function boundOf(snapshot: Snapshot, order: PoolOrder, bound: Bound): bigint {
  const { gasCost, maxLegs, maxGas } = bound
  const edges = usableEdges(snapshot, order, bound)
  if (edges.length === 0) throw badBound('setAside', bound.setAside?.length, 'pools that it covers')
  const hops = edges.map((edge) => priced(edge, bound))
  const room = maxGas - ROUTER_GAS
  // Not Math.min(...values): large markets have more edges than a call can take arguments.
  const leastGas = edges.reduce((least, { gas }) => Math.min(least, gas), Number.POSITIVE_INFINITY)
  const legs = Math.min(maxLegs, Math.max(1, Math.floor(room / leastGas)))
  const { carried, unpaid, nets, traded } = bound.open
    ? overPaths(hops, order, bound, legs)
    : atPrices(hops, order, bound, legs)
  const gross = nets
    .filter((net) => net > 0)
    .sort((a, b) => b - a)
    .slice(0, legs)
    .reduce((sum, net) => sum + net, carried)
  const fixed = gasCost * ROUTER_GAS
  const margin = MARGIN * (Math.abs(gross) + unpaid + fixed) + TURNOVER_MARGIN * traded
  const direct = bound.open ? Number.NEGATIVE_INFINITY : bestDirect(hops, order, gasCost)
  // No route has several hops if each costs an infinity.
  const most = Number.isFinite(unpaid) ? Math.max(gross - unpaid - fixed + margin, direct) : direct
  if (most === Number.NEGATIVE_INFINITY) return 0n
  if (!Number.isFinite(most)) throw badBound('prices', most, 'prices of a finite bound')
  return BigInt(Math.ceil(most + 1))
}

/** An edge at the prices of a bound. */
type PricedHop = UsableEdge & {
  readonly νIn: number
  readonly νOut: number
  readonly isOpen: boolean
}

function priced(edge: UsableEdge, { prices, open = [] }: Bound): PricedHop {
  const [uIn, uOut] = [prices[edge.tokenIn], prices[edge.tokenOut]]
  if (!isPrice(uIn) || !isPrice(uOut)) {
    const token = isPrice(uIn) ? edge.tokenOut : edge.tokenIn
    throw badBound(`prices[${token}]`, prices[token], 'the ln of its worth')
  }
  const isOpen = open.some(
    ({ pool, tokenIn, tokenOut }) =>
      pool === edge.pool && tokenIn === edge.tokenIn && tokenOut === edge.tokenOut,
  )
  return { ...edge, νIn: Math.exp(uIn), νOut: Math.exp(uOut), isOpen }
}

/** Returns whether e to it is a float above 0; a net of anything else is none, and would not count. */
const isPrice = (u: number | undefined): u is number => Number.isFinite(u) && Math.abs(u!) < 700

/** Worth of the amount in at the prices. */
function worthOf({ tokenIn, tokenOut, amountIn }: Order, { prices }: Bound): number {
  return Number(amountIn) * Math.exp(prices[tokenIn]! - prices[tokenOut]!)
}

const isDirect = (hop: UsableEdge, { tokenIn, tokenOut }: Order) =>
  hop.tokenIn === tokenIn && hop.tokenOut === tokenOut

/**
 * The bound at the prices, for a price μ of a leg. The net of a hop is the most that its surplus less
 * its gas and μ can be, and if that is negative the hop costs as much. Several hops contain a path of at
 * most L hops, or two hops between the ends, and pay at least the least cost of these.
 */
function atPrices(all: readonly PricedHop[], order: Order, bound: Bound, legs: number): Parts {
  const { gasCost, legPrice = 0 } = bound
  const hops = withinHops(all, order, legs).map((hop) => {
    const { net, traded } = bestTrade(hop, hop, gasCost)
    return { ...hop, net: net - legPrice, traded, cost: Math.max(0, legPrice - net) }
  })
  const walks = bestWalks(
    hops.filter((hop) => !isDirect(hop, order)),
    new Map([[order.tokenIn, 0]]),
    legs,
    { after: (paid, { cost }) => paid + cost, isBetter: (one, other) => one < other },
  )
  const direct = hops.filter((hop) => isDirect(hop, order)).map(({ cost }) => cost)
  const [one = 0, two = Number.POSITIVE_INFINITY] = direct.sort((a, b) => a - b)
  const path = walks.at(-1)!.get(order.tokenOut) ?? Number.POSITIVE_INFINITY
  return {
    carried: worthOf(order, bound) + (legPrice > 0 ? legPrice * legs : 0),
    unpaid: Math.min(path, one + two),
    nets: hops.map(({ net }) => net),
    traded: hops.reduce((sum, { traded }) => sum + traded, 0),
  }
}

/** The highest worth of a route of one hop, with a margin for its own terms only. */
function bestDirect(hops: readonly PricedHop[], order: Order, gasCost: number): number {
  return hops
    .filter((hop) => isDirect(hop, order))
    .map(({ curve, gas }) => {
      const out = curve.out(Number(order.amountIn) + (curve.extraIn ?? 0))
      const paid = gasCost * (gas + ROUTER_GAS)
      return out - paid + MARGIN * (out + paid)
    })
    .reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
}

/**
 * The bound over simple paths. A hop pays at most α + β·x: an open one has its first price as β, any
 * other at most ν_in/ν_out. What it adds, α, goes on to the token out along a simple path.
 */
function overPaths(all: readonly PricedHop[], order: Order, bound: Bound, legs: number): Parts {
  const { tokenIn, tokenOut } = order
  const { gasCost } = bound
  const most = Math.min(legs, new Set(all.map((hop) => hop.tokenIn)).size)
  const links = all.map((hop) => {
    const rate = (hop.curve.price(0) * hop.νOut) / hop.νIn
    return { ...hop, factor: hop.isOpen ? rate : Math.min(1, rate), cost: 0 }
  })
  const rises = new Map<Address, number>()
  const riseFrom = (from: Address): number => {
    const rise = rises.get(from) ?? bestSimplePath(links, { from, to: tokenOut, hops: most }, 1)
    rises.set(from, rise)
    return Math.max(0, rise)
  }
  const hops = links.map((link) => {
    const { curve, isOpen, νIn, νOut, gas } = link
    const extra = curve.extraIn ?? 0
    const β = isOpen ? νOut * curve.price(0) : νIn
    // A curve may end at zero, because its pool takes less than a wei; it pays nonetheless.
    const isTrading = !isOpen && curve.price(0) * νOut > νIn
    const rise = isTrading || extra > 0 ? riseFrom(link.tokenOut) : 0
    const { net, traded } =
      isTrading && rise > 0
        ? bestTrade(link, { νIn: rise * νIn, νOut: rise * νOut }, gasCost)
        : { net: rise * β * extra - gasCost * gas, traded: 0 }
    return { ...link, net, traded, cost: Math.max(0, -net) }
  })
  const ends = { from: tokenIn, to: tokenOut, hops: most }
  return {
    carried: bestSimplePath(hops, ends, worthOf(order, bound)),
    unpaid: 0,
    nets: hops.map(({ net }) => net),
    traded: hops.reduce((sum, { traded }) => sum + traded, 0),
  }
}
