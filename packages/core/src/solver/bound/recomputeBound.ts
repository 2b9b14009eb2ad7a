/**
 * Independent check of a certificate. Input: snapshot, order and {@link Bound}. Output: the bound
 * recomputed from its prices alone. It shares the curves with the solver and no other code, so a
 * fault of the solver cannot hide here.
 */
import { type Address, type Hex, NATIVE } from '../../hex.js'
import type { Order } from '../../order.js'
import type { Curve } from '../../pools/family.js'
import { type Pool, toCurve } from '../../pools/index.js'
import { leastGas, ROUTER_GAS } from '../../replay.js'
import type { Snapshot } from '../../snapshot.js'
import type { Bound } from './upperBound.js'

// The margin of a bound (docs/solver.md): a fraction of the sizes of its terms, a fraction of the
// value that the hops trade, and one wei.
const MARGIN = 1e-9
const TURNOVER_MARGIN = 1e-12

/**
 * Recomputes a certificate from its prices and the snapshot. The result is an upper bound, in wei
 * of the token out and rounded up, on the worth of any acyclic route over the pools not set aside,
 * on the bound's own terms. A bound is sound if the result is not above its `amount`. Throws a
 * RangeError if a token that a route could pass has no price, or if the gas cost is negative.
 *
 * A route is one hop between the two tokens, whose output is known, or at least two hops that
 * contain a path. The bound of the latter is
 *
 *   A·ν_in + Σ over the L best of max(0, surplus − p·gas) − max(cheapest path, two cheapest hops)
 *
 * The cost of a hop is the gas that its surplus does not cover. The router's own gas is subtracted
 * in both cases.
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
    // The maximum of ν_out·h(x) − ν_in·x, at h′(x) = ν_in/ν_out.
    const ratio = Math.exp(uIn) / Math.exp(uOut)
    const x = edge.curve.inputAt(ratio)
    const surplus = Math.exp(uOut) * (edge.curve.out(x) - ratio * x)
    // Exact integers can beat the curve by the output of this extra input, worth at most its price.
    const net = surplus + Math.exp(uIn) * (edge.curve.extraIn ?? 0) - gasCost * edge.gas
    return { ...edge, net, cost: Math.max(0, -net), traded: Math.exp(uIn) * x }
  })
  const { tokenIn, tokenOut } = order
  const amountIn = Number(order.amountIn)
  const least = leastOf(hops, (hop) => hop.gas)
  const legs = Math.min(bound.maxLegs, Math.max(1, Math.floor((bound.maxGas - ROUTER_GAS) / least)))
  const best = hops
    .map((hop) => hop.net)
    .filter((net) => net > 0)
    .sort((a, b) => b - a)
  const spot = amountIn * Math.exp(prices[tokenIn]! - prices[tokenOut]!)
  const gross = best.slice(0, legs).reduce((sum, net) => sum + net, spot)
  const twoHops = 2 * leastOf(hops, (hop) => hop.cost)
  const atLeast = Math.max(cheapestPath(hops, order), twoHops)
  const fixed = gasCost * ROUTER_GAS
  const direct = hops
    .filter((hop) => hop.tokenIn === tokenIn && hop.tokenOut === tokenOut)
    .map((hop) => hop.curve.out(amountIn + (hop.curve.extraIn ?? 0)) - gasCost * hop.gas)
  const amount = direct.reduce((most, net) => Math.max(most, net), gross - atLeast) - fixed
  const margin = MARGIN * (gross + atLeast + fixed)
  const traded = hops.reduce((sum, hop) => sum + hop.traded, 0)
  return BigInt(Math.ceil(amount + margin + TURNOVER_MARGIN * traded + 1))
}

// Not Math.min(...values): large markets have more edges than a call can take arguments.
function leastOf<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((least, value) => Math.min(least, of(value)), Number.POSITIVE_INFINITY)
}

type UsableEdge = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly curve: Curve
  readonly gas: number
}

/** The edges that an acyclic route from the token in to the token out can use. */
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
  // Removing edges can make more tokens impassable: repeat until nothing changes.
  for (let edges = all; ; ) {
    const isPassable = passable(edges, [tokenIn, tokenOut])
    const kept = edges.filter(
      (edge) => isPassable.has(edge.tokenIn) && isPassable.has(edge.tokenOut),
    )
    const isReached = reach(neighbours(kept.map((e): Arc => [e.tokenIn, e.tokenOut])), tokenIn)
    const leadsOn = reach(neighbours(kept.map((e): Arc => [e.tokenOut, e.tokenIn])), tokenOut)
    const left = kept.filter((edge) => isReached.has(edge.tokenIn) && leadsOn.has(edge.tokenOut))
    if (left.length === edges.length) return left
    edges = left
  }
}

/**
 * The tokens that an acyclic route can pass: those that no single other token separates from the
 * ends, because a route would have to pass that token twice. With an edge added between the ends,
 * they are the biconnected component of this edge. One depth-first search finds it (Hopcroft and
 * Tarjan 1973).
 */
function passable(
  edges: readonly UsableEdge[],
  [start, end]: readonly [Address, Address],
): ReadonlySet<Address> {
  const both = edges.flatMap((e): Arc[] => [
    [e.tokenIn, e.tokenOut],
    [e.tokenOut, e.tokenIn],
  ])
  // The added edge comes first, so that the search takes it first.
  const next = neighbours([[start, end], [end, start], ...both])
  const unseen = new Map([...next].map(([token, beside]) => [token, beside.values()]))
  const depth = new Map([[start, 0]])
  const parent = new Map<Address, Address>()
  for (let at: Address | undefined = start; at !== undefined; ) {
    const { value, done } = unseen.get(at)!.next()
    if (done) {
      at = parent.get(at)
    } else if (!depth.has(value)) {
      depth.set(value, depth.get(at)! + 1)
      parent.set(value, at)
      at = value
    }
  }
  // The least depth that a token and its descendants have an edge to.
  const low = new Map<Address, number>()
  for (const token of [...depth.keys()].reverse()) {
    const touched = [...next.get(token)!]
      .filter((other) => other !== parent.get(token))
      .map((other) => (parent.get(other) === token ? low.get(other)! : depth.get(other)!))
    low.set(
      token,
      touched.reduce((a, b) => Math.min(a, b), depth.get(token)!),
    )
  }
  const left = new Set([start, end])
  for (const token of depth.keys()) {
    const before = parent.get(token)
    if (before === undefined || before === start || !left.has(before)) continue
    if (low.get(token)! < depth.get(before)!) left.add(token)
  }
  return left
}

type Arc = readonly [from: Address, to: Address]

function neighbours(ways: readonly Arc[]): ReadonlyMap<Address, ReadonlySet<Address>> {
  const next = new Map<Address, Set<Address>>()
  for (const [from, to] of ways) {
    const known = next.get(from)
    if (known) known.add(to)
    else next.set(from, new Set([to]))
  }
  return next
}

/** The tokens that can be reached from `start`. */
function reach(
  next: ReadonlyMap<Address, ReadonlySet<Address>>,
  start: Address,
): ReadonlySet<Address> {
  const reached = new Set([start])
  for (const token of reached) for (const other of next.get(token) ?? []) reached.add(other)
  return reached
}

// Pools are immutable, so the edges of a pool are cached for later checks.
const known = new WeakMap<Pool, readonly UsableEdge[]>()

function edgesOf(pool: Pool): readonly UsableEdge[] {
  const made = known.get(pool)
  if (made) return made
  const edges = pool.tokens.flatMap((tokenIn, i) =>
    pool.tokens.flatMap((tokenOut, o): UsableEdge[] => {
      if (i === o) return []
      const direction = { in: i, out: o }
      const gas = leastGas(pool, direction)
      return [{ tokenIn, tokenOut, curve: toCurve(pool, direction), gas }]
    }),
  )
  known.set(pool, edges)
  return edges
}

/** Least total cost of a path between the ends; 0 if there is none, which is also a valid bound. */
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
