/**
 * Independent check of a certificate. Input: snapshot, order and {@link Bound}. Output: the bound
 * recomputed from its prices, its multiplier and its open edges alone. It shares the curves with the
 * solver and no other code, so a fault of the solver cannot hide here.
 */
import type { Address } from '../hex.js'
import type { Order } from '../order.js'
import { ROUTER_GAS } from '../replay.js'
import type { Snapshot } from '../snapshot.js'
import type { Bound } from './bound.js'
import { bestSimplePath, bestWalks, withinHops } from './recomputePaths.js'
import { gasOfPiece, tradesOf, type UsableEdge, usableEdges } from './usableEdges.js'

// The margin of a bound (docs/solver.md): a fraction of the sizes of its terms, a fraction of the
// value that the hops trade, and one wei.
const MARGIN = 1e-9
const TURNOVER_MARGIN = 1e-12
// Caps on inputs are products of some rates: more than these lose in floats.
const CAP_MARGIN = 1 + 1e-9

/**
 * Recomputes a certificate from its prices and the snapshot. The result is an upper bound, in wei
 * of the token out and rounded up, on the worth of any acyclic route over the pools not set aside,
 * on the bound's own terms. A bound is sound if the result is not above its `amount`. Throws a
 * RangeError if a token that a route could pass has no price, if the gas cost is negative, or if the
 * multiplier is below it.
 *
 * A route is one hop between the two tokens, whose output is known, or at least two hops that
 * contain a path. For prices ν and a multiplier λ the bound of the latter is
 *
 *   A·ν_in + Σ max(0, net − μ) + μ·L − least cost of several hops + (λ − p)·room
 *
 * where the net of a hop is the most that surplus − λ·gas can be if it ends in any piece of its
 * curve, μ is the price of a leg, the cost of a hop is max(0, μ − net), and the room is the gas that
 * the cap leaves for the hops. Several hops contain a path of at most L hops, or two hops between the
 * ends. The router's own gas is subtracted in both cases. With open edges the bound is that over
 * simple paths, with the L best nets.
 */
export function recomputeBound(snapshot: Snapshot, order: Order, bound: Bound): bigint {
  const edges = edgesOf(snapshot, order, bound)
  const mostIn = mostInputs(edges, order, legsOf(edges, bound))
  const hops = hopsAt(edges, bound, mostIn)
  return bound.open ? boundOverPaths(hops, order, bound) : boundOf(hops, order, bound)
}

/**
 * The same without open edges and without the caps on inputs. This bound grows with the amount in, at
 * the price of the token in.
 */
export function recomputeUncapped(snapshot: Snapshot, order: Order, bound: Bound): bigint {
  const { open: _, ...closed } = bound
  const edges = edgesOf(snapshot, order, bound)
  return boundOf(
    hopsAt(edges, closed, () => Number.POSITIVE_INFINITY),
    order,
    closed,
  )
}

function edgesOf(snapshot: Snapshot, order: Order, { setAside, excluded }: Bound) {
  return usableEdges(snapshot, order, new Set(setAside), new Set(excluded))
}

/** An edge at the prices of a bound. */
type PricedHop = UsableEdge & {
  readonly νIn: number
  readonly νOut: number
  readonly isOpen: boolean
  /** Wei that it may take. */
  readonly most: number
  /** The worth of its best trade, before and after the conversion of the token out and its gas. */
  readonly net: number
  readonly traded: number
}

function hopsAt(
  edges: readonly UsableEdge[],
  { prices, open = [], gasCost, gasMultiplier, legPrice = 0 }: Bound,
  mostIn: (token: Address) => number,
): readonly PricedHop[] {
  if (!(gasCost >= 0 && gasMultiplier >= gasCost && legPrice >= 0))
    throw new RangeError('bad terms of a bound')
  const opened = new Set(
    open.map(({ pool, tokenIn, tokenOut }) => `${pool} ${tokenIn} ${tokenOut}`),
  )
  return edges.map((edge) => {
    const [uIn, uOut] = [prices[edge.tokenIn], prices[edge.tokenOut]]
    if (uIn === undefined || uOut === undefined || Number.isNaN(uIn + uOut)) {
      throw new RangeError(`no price for ${uIn === undefined ? edge.tokenIn : edge.tokenOut}`)
    }
    const hop = {
      ...edge,
      ...{ νIn: Math.exp(uIn), νOut: Math.exp(uOut), most: mostIn(edge.tokenIn) },
      isOpen: opened.has(`${edge.pool} ${edge.tokenIn} ${edge.tokenOut}`),
    }
    return { ...hop, ...bestTrade(hop, gasMultiplier, 1) }
  })
}

/** What a bound is made of, in units of the token out. */
type Parts = {
  readonly hops: readonly PricedHop[]
  /** What the amount in is worth on its way, and what it has to pay on any. */
  readonly carried: number
  readonly unpaid: number
  /** What each hop adds at most. */
  readonly nets: readonly number[]
  /** Output and gas of the best route of one hop, if that is not in the sum. */
  readonly direct?: { readonly out: number; readonly paid: number }
}

function boundOf(all: readonly PricedHop[], order: Order, bound: Bound): bigint {
  const { tokenIn, tokenOut } = order
  const { legPrice = 0 } = bound
  const legs = legsOf(all, bound)
  const hops = withinHops(all, order, legs)
  const amountIn = Number(order.amountIn)
  const costs = hops.map((hop) => ({ ...hop, cost: Math.max(0, legPrice - hop.net) }))
  const isDirect = (hop: UsableEdge) => hop.tokenIn === tokenIn && hop.tokenOut === tokenOut
  const walks = bestWalks(
    costs.filter((hop) => !isDirect(hop)),
    new Map([[tokenIn, 0]]),
    legs,
    { after: (paid, { cost }) => paid + cost, isBetter: (one, other) => one < other },
  )
  const path = walks.at(-1)!.get(tokenOut) ?? Number.POSITIVE_INFINITY
  const parallel = costs.filter(isDirect).map(({ cost }) => cost)
  const [one = Number.POSITIVE_INFINITY, two = one] = parallel.sort((a, b) => a - b).slice(0, 2)
  const unpaid = Math.min(path, parallel.length > 1 ? one + two : Number.POSITIVE_INFINITY)
  const direct = hops
    .filter(isDirect)
    .flatMap((hop) =>
      tradesOf(hop, 0, amountIn + (hop.curve.extraIn ?? 0)).map(({ y }, j) => ({
        out: y,
        gas: gasOfPiece(hop, j),
      })),
    )
    .filter(({ gas }) => gas <= roomOf(bound))
    .map(({ out, gas }) => ({ out, paid: bound.gasCost * gas }))
    .sort((a, b) => b.out - b.paid - (a.out - a.paid))[0]
  const atPrices = amountIn * Math.exp(bound.prices[tokenIn]! - bound.prices[tokenOut]!)
  const parts = {
    hops,
    carried: atPrices + (legPrice > 0 ? legPrice * legs : 0),
    unpaid: Number.isFinite(unpaid) ? unpaid : 0,
    nets: hops.map(({ net }) => net - legPrice),
  }
  return sumOf({ ...parts, ...(direct && { direct }) }, bound)
}

/**
 * The bound over simple paths. A hop pays at most α + β·x: an open one has its first price as β, any
 * other at most ν_in/ν_out. What it adds, α, goes on to the token out along a simple path.
 */
function boundOverPaths(hops: readonly PricedHop[], order: Order, bound: Bound): bigint {
  const { tokenIn, tokenOut } = order
  const most = Math.min(legsOf(hops, bound), new Set(hops.map((hop) => hop.tokenIn)).size)
  const factorOf = ({ curve, νIn, νOut, isOpen }: PricedHop) => {
    const rate = (curve.price(0) * νOut) / νIn
    return isOpen ? rate : Math.min(1, rate)
  }
  const links = hops.map((hop) => ({ ...hop, factor: factorOf(hop), cost: 0 }))
  const rises = new Map<Address, number>()
  const riseFrom = (from: Address): number => {
    const rise = rises.get(from) ?? bestSimplePath(links, { from, to: tokenOut, hops: most }, 1)
    rises.set(from, rise)
    return rise
  }
  const priced = links.map((link) => {
    const isAdding = link.traded > 0 || (link.curve.extraIn ?? 0) > 0
    const rise = isAdding ? Math.max(0, riseFrom(link.tokenOut)) : 0
    const { net, traded } = bestTrade(link, bound.gasMultiplier, rise)
    return { ...link, net, traded: rise * traded, cost: Math.max(0, -net) }
  })
  const atPrices =
    Number(order.amountIn) * Math.exp(bound.prices[tokenIn]! - bound.prices[tokenOut]!)
  const ends = { from: tokenIn, to: tokenOut, hops: most }
  const carried = bestSimplePath(priced, ends, atPrices)
  const nets = priced.map(({ net }) => net)
  return sumOf({ hops: priced, carried, unpaid: 0, nets }, bound)
}

function sumOf({ hops, carried, unpaid, nets, direct }: Parts, bound: Bound): bigint {
  const { gasCost, gasMultiplier } = bound
  const unused = gasMultiplier > gasCost ? (gasMultiplier - gasCost) * roomOf(bound) : 0
  const gross = nets
    .filter((net) => net > 0)
    .sort((a, b) => b - a)
    .slice(0, legsOf(hops, bound))
    .reduce((sum, net) => sum + net, carried + unused)
  const fixed = gasCost * ROUTER_GAS
  const traded = hops.reduce((sum, hop) => sum + hop.traded, 0)
  const margin = MARGIN * (Math.abs(gross) + unpaid + fixed) + TURNOVER_MARGIN * traded
  const several = gross - unpaid - fixed + margin
  // Each kind of route needs a margin for its own terms only.
  const alone = direct
    ? direct.out - direct.paid - fixed + MARGIN * (direct.out + direct.paid + fixed)
    : several
  return BigInt(Math.ceil(Math.max(several, alone) + 1))
}

/** The gas that the cap leaves for the hops. */
const roomOf = ({ maxGas }: Bound) => maxGas - ROUTER_GAS

/** Most hops of a route: the cap on legs, or as many of the cheapest hops as the cap on gas admits. */
function legsOf(edges: readonly UsableEdge[], { maxLegs, maxGas }: Bound): number {
  const least = leastOf(edges, (edge) => edge.gas)
  return Math.min(maxLegs, Math.max(1, Math.floor((maxGas - ROUTER_GAS) / least)))
}

/**
 * The highest surplus net of gas that a hop can have, if each unit of value it adds becomes `rise`,
 * and the value that it trades. Exact integers can beat a curve by the output of `extraIn`.
 */
function bestTrade(
  hop: Omit<PricedHop, 'net' | 'traded'>,
  gasMultiplier: number,
  rise: number,
): Pick<PricedHop, 'net' | 'traded'> {
  const { curve, νIn, νOut, isOpen, most } = hop
  const extra = curve.extraIn ?? 0
  if (isOpen) {
    const net = rise * νOut * curve.price(0) * extra - gasMultiplier * hop.gas
    return { net, traded: 0 }
  }
  const ratio = νIn / νOut
  const wanted = Math.min(curve.inputAt(ratio), most + extra)
  const net = tradesOf(hop, ratio, wanted)
    .map(({ x, y }, j) => {
      const surplus = Math.max(0, νOut * y - νIn * x) + νIn * extra
      return rise * surplus - gasMultiplier * gasOfPiece(hop, j)
    })
    .reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  return { net, traded: νIn * wanted }
}

/**
 * The most that an acyclic route can bring of each token: what it receives came along walks of at
 * most `legs` hops, no pool pays more than its first price, and each hop may use `extraIn` more than
 * it got.
 */
function mostInputs(
  edges: readonly UsableEdge[],
  { tokenIn, amountIn }: Order,
  legs: number,
): (token: Address) => number {
  const tokens = new Set(edges.flatMap((edge) => [edge.tokenIn, edge.tokenOut]))
  const hops = Math.min(legs, tokens.size - 1)
  const extras = new Map<Address, number>()
  for (const { tokenIn: token, curve } of edges) {
    extras.set(token, Math.max(extras.get(token) ?? 0, curve.extraIn ?? 0))
  }
  const reached = (start: ReadonlyMap<Address, number>) =>
    bestWalks(edges, start, hops, {
      after: (amount, { curve }) => amount * curve.price(0),
      isBetter: (one, other) => one > other,
    }).at(-1)!
  const own = reached(new Map([[tokenIn, Number(amountIn)]]))
  const more = reached(extras)
  const uses = Math.min(legs, edges.length)
  return (token) => ((own.get(token) ?? 0) + uses * (more.get(token) ?? 0)) * CAP_MARGIN
}

// Not Math.min(...values): large markets have more edges than a call can take arguments.
function leastOf<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((least, value) => Math.min(least, of(value)), Number.POSITIVE_INFINITY)
}
