/**
 * The edges that the checker of a bound has to count. Input: snapshot, order, and the pools that a
 * bound does not cover. Output: every pool direction that an acyclic route could use. It shares the
 * curves with the solver and no other code.
 */
import { type Address, type Hex, NATIVE } from '../hex.js'
import type { Pieces } from '../math/pieces.js'
import type { PoolOrder } from '../order.js'
import type { Curve } from '../pools/family.js'
import { familyOf, type Pool } from '../pools/index.js'
import { leastGas } from '../replay.js'
import type { Snapshot } from '../snapshot.js'
import type { Bound } from './bound.js'

/** A pool in one direction, as the checker reads it from the snapshot. */
export type UsableEdge = {
  readonly pool: Hex
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly curve: Curve
  /** Least gas of a hop, and of each further piece of the curve. */
  readonly gas: number
  readonly stepGas: number
}

// A swap of this many wei may cross ticks that the least gas includes.
const DUST = 2

/** The edges that an acyclic route from the token in to the token out can use. */
export function usableEdges(
  snapshot: Snapshot,
  { tokenIn, tokenOut }: PoolOrder,
  scope: Pick<Bound, 'setAside' | 'excluded' | 'onlyIntermediates'>,
): readonly UsableEdge[] {
  const [setAside, excluded] = [new Set(scope.setAside), new Set(scope.excluded)]
  const isPassed = passedBy([tokenIn, tokenOut], scope.onlyIntermediates)
  const all = snapshot.pools
    .filter((pool) => !excluded.has(pool.id) && !pool.tokens.includes(NATIVE))
    .flatMap((pool) => edgesOf(pool).map((edge) => ({ ...edge, isAside: setAside.has(pool.id) })))
    .filter((edge) => isPassed(edge.tokenIn) && isPassed(edge.tokenOut))
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

/** Returns whether routes may pass a token: the ends, and those between them that are listed if any are. */
function passedBy(
  ends: readonly Address[],
  between: readonly Address[] | undefined,
): (token: Address) => boolean {
  if (!between) return () => true
  const passed = new Set([...ends, ...between])
  return (token) => passed.has(token)
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
  const family = familyOf(pool)
  const edges = pool.tokens.flatMap((tokenIn, i) =>
    pool.tokens.flatMap((tokenOut, o): UsableEdge[] => {
      if (i === o) return []
      const direction = { in: i, out: o }
      const curve = family.toCurve(pool, direction)
      const gas = leastGas(pool, direction)
      return [{ pool: pool.id, tokenIn, tokenOut, curve, gas, stepGas: curve.stepGas ?? 0 }]
    }),
  )
  known.set(pool, edges)
  return edges
}

/**
 * The best trade of an edge at the prices of its tokens: its surplus net of gas, and the value traded.
 * Exact integers can beat a curve by the output of `extraIn`.
 */
export function bestTrade(
  edge: UsableEdge,
  { νIn, νOut }: { readonly νIn: number; readonly νOut: number },
  gasCost: number,
): { readonly net: number; readonly traded: number } {
  const { curve, gas, stepGas } = edge
  const wanted = curve.inputAt(νIn / νOut)
  // Pieces that a swap of so few wei enters are part of the least gas.
  const paid = stepGas === 0 ? 0 : lastPieceBefore(curve.pieces!, DUST)
  let net = Number.NEGATIVE_INFINITY
  for (const [j, { x, y }] of tradesOf(edge, νIn / νOut).entries()) {
    const surplus = Math.max(0, νOut * y - νIn * x) + νIn * (curve.extraIn ?? 0)
    net = Math.max(net, surplus - gasCost * (gas + stepGas * Math.max(0, j - paid)))
  }
  return { net, traded: νIn * wanted }
}

/**
 * The largest trade of an edge in each piece of its curve whose price is above `ratio`; a single trade
 * if pieces are not ticks. Pieces can be narrower than the distance of two floats, and the last ones
 * have no width if a curve ends some wei before its pool does: then they begin at the same input, and
 * their outputs tell them apart.
 */
export function tradesOf(
  { curve, stepGas }: Pick<UsableEdge, 'curve' | 'stepGas'>,
  ratio: number,
): readonly { readonly x: number; readonly y: number }[] {
  const most = curve.inputAt(ratio)
  const alone = [{ x: most, y: curve.out(most) }]
  if (stepGas === 0) return alone
  const { γ, startIn, startOut, price } = curve.pieces!
  const trades: { readonly x: number; readonly y: number }[] = []
  for (let j = 0; j < price.length && γ * price[j]! > ratio; j++) {
    const isWhole = most >= startIn[j + 1]!
    const x = isWhole ? startIn[j + 1]! : most
    trades.push({ x, y: isWhole ? startOut[j + 1]! : curve.out(x) })
  }
  return trades.length > 0 ? trades : alone
}

/** Index of the last piece that begins before an input; 0 if none does. */
function lastPieceBefore({ startIn, price }: Pieces, input: number): number {
  let last = 0
  while (last + 1 < price.length && startIn[last + 1]! < input) last++
  return last
}
