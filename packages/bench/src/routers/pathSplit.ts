import type { PlannedHop } from '@braid-swap/core/advanced'
import { estimateGas } from '@braid-swap/core/families'
import type { Edge } from '../edges.js'
import { compareNets, evaluate } from '../evaluate.js'
import { hopsOfPaths, mergedHopsOfPaths } from '../hops.js'
import { ANY_LEGS, type Request } from '../request.js'

// Shares are rounded to 2⁻²⁴, so a pool planned to its limit could get more than it accepts.
const FILLABLE = 1 - 1e-5

/** A path with a float amount of the token in, as the split heuristics use it. */
export type PathFlow = { readonly path: readonly Edge[]; readonly amount: number }

/**
 * Output of paths executed in turn, each at the state that the earlier ones left. Input above a
 * pool's limit is lost, so that a search moves flow away from a pool that is too full.
 */
function outOfPaths(flows: readonly PathFlow[]): number {
  const carried = new Map<Edge, number>()
  let out = 0
  for (const flow of flows) if (flow.amount > 0) out += push(flow, carried).out
  return out
}

/** Sends a flow along its path and adds it to the edges; `undefined` beyond a pool's limit. */
export function pushThrough(flow: PathFlow, carried: Map<Edge, number>): number | undefined {
  const { out, isWhole } = push(flow, carried)
  return isWhole ? out : undefined
}

function push(flow: PathFlow, carried: Map<Edge, number>) {
  let x = flow.amount
  let isWhole = true
  for (const edge of flow.path) {
    const before = carried.get(edge) ?? 0
    const after = Math.max(before, Math.min(before + x, edge.curve.limit * FILLABLE))
    if (after < before + x) isWhole = false
    carried.set(edge, after)
    x = edge.curve.out(after) - edge.curve.out(before)
  }
  return { out: x, isWhole }
}

/** Gas of the distinct edges of the paths, each at its first amount. */
function gasOfPaths(flows: readonly PathFlow[]): number {
  const seen = new Set<Edge>()
  let gas = 0
  for (const { path, amount } of flows) {
    if (amount <= 0) continue
    let x = amount
    for (const edge of path) {
      if (!seen.has(edge)) gas += gasOfEdge(edge, x)
      seen.add(edge)
      x = edge.curve.out(x)
    }
  }
  return gas
}

/** Gas of one hop at a float amount, cached in steps of an eighth of a doubling. */
export function gasOfEdge(edge: Edge, amount: number): number {
  const size = Math.round(Math.log2(Math.max(1, amount)) * GAS_SIZES_PER_DOUBLING)
  const known = gasBySize.get(edge) ?? new Map<number, number>()
  gasBySize.set(edge, known)
  const gas = known.get(size) ?? gasAt(edge, 2 ** (size / GAS_SIZES_PER_DOUBLING))
  known.set(size, gas)
  return gas
}

// An exact estimate simulates the pool and is far too slow for thousands of evaluations.
const GAS_SIZES_PER_DOUBLING = 8
const gasBySize = new WeakMap<Edge, Map<number, number>>()

function gasAt(edge: Edge, amount: number): number {
  const wei = Number.isFinite(amount) ? BigInt(Math.floor(amount)) : 1n
  return estimateGas(edge.pool, edge.direction, wei)
}

/** Output net of gas, in wei of the token out, by the float curves. */
export function netOfPaths(flows: readonly PathFlow[], gasCost: number): number {
  const out = outOfPaths(flows)
  if (out === 0) return Number.NEGATIVE_INFINITY
  return gasCost === 0 ? out : out - gasOfPaths(flows) * gasCost
}

/** The better of the two ways to execute a split over paths, by exact net output. */
export function hopsOfFlows(
  request: Request,
  flows: readonly PathFlow[],
): readonly PlannedHop[] | undefined {
  const paths = toWei(flows, request.order.amountIn)
  const { order } = request
  return bestOf(request, [hopsOfPaths(paths, order.amountIn), mergedHopsOfPaths(paths, order)])
}

/** The executable hops with the highest exact net output; among ties, the fewest hops. */
export function bestOf(
  request: Request,
  candidates: readonly (readonly PlannedHop[] | undefined)[],
): readonly PlannedHop[] | undefined {
  let best: { readonly hops: readonly PlannedHop[]; readonly net: bigint } | undefined
  for (const hops of candidates) {
    const worth = evaluate({ ...request, maxLegs: ANY_LEGS }, hops)
    if (!hops || !worth) continue
    const verdict = best ? compareNets(worth.net, best.net) : 'win'
    const isShorter = best !== undefined && hops.length < best.hops.length
    if (verdict === 'win' || (verdict === 'tie' && isShorter)) best = { hops, net: worth.net }
  }
  return best?.hops
}

function toWei(flows: readonly PathFlow[], amountIn: bigint) {
  const total = flows.reduce((sum, { amount }) => sum + amount, 0)
  const used = flows.filter(({ amount }) => amount > 0)
  let remaining = amountIn
  return used.map(({ path, amount }, i) => {
    const part = BigInt(Math.floor((amount / total) * 2 ** 53))
    const wei = i === used.length - 1 ? remaining : (amountIn * part) >> 53n
    remaining -= wei
    return { path, amount: wei }
  })
}
