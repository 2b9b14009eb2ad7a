import { type Address, type Hex, NATIVE } from '../hex.js'
import type { Order } from '../order.js'
import type { Curve } from '../pools/family.js'
import { estimateGas, type Pool, toCurve } from '../pools/index.js'
import { ROUTER_GAS } from '../route.js'
import type { Snapshot } from '../snapshot.js'
import type { Bound } from './bound.js'

// The inflation that a bound states, see docs/solver.md: part of all it sums, and a wei.
const MARGIN = 1e-9

/**
 * Recomputes a certificate from its prices and the snapshot alone, sharing no code with the solver:
 * the upper bound, in wei of the token out and rounded up, on what any acyclic route over the pools
 * not set aside is worth on the bound's own terms. A bound is sound where this is no more than its
 * `amount`. Throws on prices that leave a token without one.
 *
 * A route is one hop between the two tokens, or at least two hops, among them a path:
 *
 *   A·ν_in + Σ over the L best of max(0, surplus − p·gas) − max(cheapest path, two cheapest hops)
 *
 * where a hop costs what its gas exceeds its surplus by; the router's own gas comes off both.
 */
export function recomputeBound(snapshot: Snapshot, order: Order, bound: Bound): bigint {
  const edges = usableEdges(snapshot, order, new Set(bound.setAside), new Set(bound.excluded))
  const { gasCost, prices } = bound
  if (!(gasCost >= 0)) throw new RangeError('bad terms of a bound')
  const hops = edges.map((edge) => {
    const [uIn, uOut] = [prices[edge.tokenIn], prices[edge.tokenOut]]
    if (uIn === undefined || uOut === undefined || Number.isNaN(uIn + uOut)) {
      throw new RangeError(`no price for ${uIn === undefined ? edge.tokenIn : edge.tokenOut}`)
    }
    // The most of ν_out·h(x) − ν_in·x, taken where h′ has fallen to ν_in/ν_out.
    const ratio = Math.exp(uIn - uOut)
    const x = edge.curve.inputAt(ratio)
    const net = Math.exp(uOut) * (edge.curve.out(x) - ratio * x) - gasCost * edge.gas
    return { ...edge, net, cost: Math.max(0, -net) }
  })
  const { tokenIn, tokenOut } = order
  const amountIn = Number(order.amountIn)
  const least = Math.min(...hops.map((hop) => hop.gas))
  const legs = Math.min(bound.maxLegs, Math.max(1, Math.floor((bound.maxGas - ROUTER_GAS) / least)))
  const best = hops
    .map((hop) => hop.net)
    .filter((net) => net > 0)
    .sort((a, b) => b - a)
  const spot = amountIn * Math.exp(prices[tokenIn]! - prices[tokenOut]!)
  const gross = best.slice(0, legs).reduce((sum, net) => sum + net, spot)
  const twoHops = 2 * Math.min(...hops.map((hop) => hop.cost))
  const atLeast = Math.max(cheapestPath(hops, order), twoHops)
  const fixed = gasCost * ROUTER_GAS
  const direct = hops
    .filter((hop) => hop.tokenIn === tokenIn && hop.tokenOut === tokenOut)
    .map((hop) => hop.curve.out(amountIn) - gasCost * hop.gas)
  const amount = Math.max(gross - atLeast, ...direct) - fixed
  return BigInt(Math.ceil(amount + MARGIN * (gross + atLeast + fixed) + 1))
}

type UsableEdge = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly curve: Curve
  readonly gas: number
}

/** The edges that an acyclic route from one end to the other can use. */
function usableEdges(
  snapshot: Snapshot,
  { tokenIn, tokenOut }: Order,
  setAside: ReadonlySet<Hex>,
  excluded: ReadonlySet<Hex>,
): readonly UsableEdge[] {
  const all = snapshot.pools
    .filter((pool) => !excluded.has(pool.id) && !pool.tokens.includes(NATIVE))
    .flatMap((pool) => edgesOf(pool).map((edge) => ({ ...edge, isAside: setAside.has(pool.id) })))
    .filter((edge) => edge.tokenIn !== tokenOut && edge.tokenOut !== tokenIn)
    .filter((edge) => !edge.isAside || (edge.tokenIn === tokenIn && edge.tokenOut === tokenOut))
    .filter((edge) => edge.curve.price(0) > 0)
  // A token is passed only from one neighbour to another; others fall, again and again.
  for (let edges = all; ; ) {
    const ways = new Map<Address, { from: Set<Address>; to: Set<Address> }>()
    const at = (token: Address) => {
      const way = ways.get(token) ?? { from: new Set(), to: new Set() }
      ways.set(token, way)
      return way
    }
    for (const edge of edges) {
      at(edge.tokenOut).from.add(edge.tokenIn)
      at(edge.tokenIn).to.add(edge.tokenOut)
    }
    const isPassable = (token: Address) => {
      const { from, to } = at(token)
      return from.size > 0 && to.size > 0 && new Set([...from, ...to]).size > 1
    }
    const kept = edges.filter(
      (edge) =>
        (edge.tokenIn === tokenIn || isPassable(edge.tokenIn)) &&
        (edge.tokenOut === tokenOut || isPassable(edge.tokenOut)),
    )
    if (kept.length === edges.length) return connected(kept, tokenIn)
    edges = kept
  }
}

function connected<E extends UsableEdge>(edges: readonly E[], start: Address): readonly E[] {
  const reached = new Set([start])
  const leaving = new Map<Address, Address[]>()
  for (const { tokenIn, tokenOut } of edges) {
    leaving.set(tokenIn, [...(leaving.get(tokenIn) ?? []), tokenOut])
  }
  for (const token of reached) for (const next of leaving.get(token) ?? []) reached.add(next)
  return edges.filter((edge) => reached.has(edge.tokenIn))
}

function edgesOf(pool: Pool): readonly UsableEdge[] {
  return pool.tokens.flatMap((tokenIn, i) =>
    pool.tokens.flatMap((tokenOut, o): UsableEdge[] => {
      if (i === o) return []
      const direction = { in: i, out: o }
      const gas = estimateGas(pool, direction, 1n)
      return [{ tokenIn, tokenOut, curve: toCurve(pool, direction), gas }]
    }),
  )
}

/** Least total cost of a path between the ends; 0 if there is none, which bounds it too. */
function cheapestPath(
  hops: readonly (UsableEdge & { readonly cost: number })[],
  { tokenIn, tokenOut }: Order,
): number {
  const total = new Map<Address, number>([[tokenIn, 0]])
  for (let isSettled = false; !isSettled; ) {
    isSettled = true
    for (const hop of hops) {
      const through = (total.get(hop.tokenIn) ?? Number.POSITIVE_INFINITY) + hop.cost
      if (through < (total.get(hop.tokenOut) ?? Number.POSITIVE_INFINITY)) {
        total.set(hop.tokenOut, through)
        isSettled = false
      }
    }
  }
  return total.get(tokenOut) ?? 0
}
