import { estimateGas, type PlannedHop } from '@braid-swap/core'
import type { Edge } from '../edges.js'
import { compareNets, evaluate } from '../evaluate.js'
import { hopsOfPaths, mergedHopsOfPaths } from '../hops.js'
import { ANY_LEGS, type Request } from '../request.js'

// Shares are rounded to 2⁻²⁴, so a pool planned to the brim could be asked for more than it takes.
const FILLABLE = 1 - 1e-5

/** Paths with float amounts of the token in: how the split heuristics think. */
export type PathFlow = { readonly path: readonly Edge[]; readonly amount: number }

/**
 * Output of paths walked one after the other, each meeting what the earlier ones left. What a pool
 * cannot take is lost, so that a search finds its way back from a pool that is too full.
 */
function outOfPaths(flows: readonly PathFlow[]): number {
  const carried = new Map<Edge, number>()
  let out = 0
  for (const flow of flows) if (flow.amount > 0) out += push(flow, carried).out
  return out
}

/** Sends a flow down its path, adding to what each edge carries; `undefined` past a pool's limit. */
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

/** Gas of the distinct pools and directions that the paths use, each at its first amount. */
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

/** Gas of one hop at a float amount, to the nearest eighth of a doubling of it. */
export function gasOfEdge(edge: Edge, amount: number): number {
  const size = Math.round(Math.log2(Math.max(1, amount)) * GAS_SIZES_PER_DOUBLING)
  const known = gasBySize.get(edge) ?? new Map<number, number>()
  gasBySize.set(edge, known)
  const gas = known.get(size) ?? gasAt(edge, 2 ** (size / GAS_SIZES_PER_DOUBLING))
  known.set(size, gas)
  return gas
}

// The estimate walks the pool exactly, far too slow for a search that asks a thousand times.
const GAS_SIZES_PER_DOUBLING = 8
const gasBySize = new WeakMap<Edge, Map<number, number>>()

function gasAt(edge: Edge, amount: number): number {
  const wei = Number.isFinite(amount) ? BigInt(Math.floor(amount)) : 1n
  return estimateGas(edge.pool, edge.direction, wei)
}

/** Output less gas, in wei of the token out, by the curves. */
export function netOfPaths(flows: readonly PathFlow[], gasCost: number): number {
  const out = outOfPaths(flows)
  if (out === 0) return Number.NEGATIVE_INFINITY
  return gasCost === 0 ? out : out - gasOfPaths(flows) * gasCost
}

/** The better of the two faithful ways to execute a split over paths, by the exact net output. */
export function hopsOfFlows(
  request: Request,
  flows: readonly PathFlow[],
): readonly PlannedHop[] | undefined {
  const paths = toWei(flows, request.order.amountIn)
  const ways = [hopsOfPaths(paths, request.order.amountIn), mergedHopsOfPaths(paths, request.order)]
  return bestOf(request, ways)
}

/** The hops with the best exact net output, if any can be executed; of ties the fewest hops. */
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
