import type { Edge } from '../edges.js'
import type { Market } from '../market.js'
import type { Request } from '../request.js'
import { gasOfEdge, type PathFlow, pushThrough } from './pathSplit.js'
import { bestPaths } from './paths.js'

const MAX_HOPS = 3
// Candidate paths per chunk: the best by gross output at the current state.
const CHOICES = 4

/**
 * Greedy split of equal chunks: each goes to the path of the whole market with the highest net
 * output at the current state.
 */
export function fillFromMarket(
  market: Market,
  request: Request,
  parts: number,
): readonly PathFlow[] {
  const chunk = Number(request.order.amountIn) / parts
  const carried = new Map<Edge, number>()
  const flows: PathFlow[] = []
  for (let part = 0; part < parts; part++) {
    const path = pathForChunk(market, request, { chunk, carried, flows })
    if (!path) return []
    pushThrough({ path, amount: chunk }, carried)
    add(flows, { path, amount: chunk })
  }
  return ascending(flows)
}

/**
 * Greedy split of equal chunks over given paths: each goes to the path with the highest net output.
 * Empty if a chunk has no path.
 */
export function fillInChunks(
  paths: readonly (readonly Edge[])[],
  fill: { readonly amount: number; readonly parts: number; readonly gasCost: number },
): readonly PathFlow[] {
  const amounts = paths.map(() => 0)
  const carried = new Map<Edge, number>()
  const chunk = fill.amount / fill.parts
  for (let part = 0; part < fill.parts; part++) {
    let best: { readonly i: number; readonly net: number } | undefined
    for (const [i, path] of paths.entries()) {
      const out = pushThrough({ path, amount: chunk }, new Map(carried))
      if (out === undefined) continue
      const net = out - gasOfNew(path, carried, chunk) * fill.gasCost
      if (!best || net > best.net) best = { i, net }
    }
    if (!best) return []
    pushThrough({ path: paths[best.i]!, amount: chunk }, carried)
    amounts[best.i]! += chunk
  }
  return ascending(paths.map((path, i) => ({ path, amount: amounts[i]! })))
}

/** Gas of the pools of a path that are not used yet. */
function gasOfNew(
  path: readonly Edge[],
  carried: ReadonlyMap<Edge, number>,
  amount: number,
): number {
  let gas = 0
  let x = amount
  for (const edge of path) {
    if (!carried.has(edge)) gas += gasOfEdge(edge, x)
    x = edge.curve.out(x)
  }
  return gas
}

function pathForChunk(
  market: Market,
  request: Request,
  state: {
    readonly chunk: number
    readonly carried: ReadonlyMap<Edge, number>
    readonly flows: readonly PathFlow[]
  },
): readonly Edge[] | undefined {
  const { chunk, carried } = state
  const directions = new Map([...carried.keys()].map((edge) => [edge.pool, edge]))
  const gain = (edge: Edge, x: number): number => {
    if ((directions.get(edge.pool) ?? edge) !== edge) return 0
    const before = carried.get(edge) ?? 0
    if (before + x > edge.curve.limit) return 0
    return before > 0 ? edge.curve.out(before + x) - edge.curve.out(before) : edge.curve.out(x)
  }
  const { tokenIn, tokenOut } = request.order
  const count = request.gasCost > 0 ? CHOICES : 1
  const query = { from: tokenIn, to: tokenOut, amount: chunk, maxHops: MAX_HOPS, count, gain }
  // A path in use costs no more gas, so its net output may be higher despite a lower gross output.
  const choices = [...bestPaths(market.edges, query), ...(count > 1 ? state.flows : [])]
  let best: { readonly path: readonly Edge[]; readonly net: number } | undefined
  for (const { path } of choices) {
    const out = pushThrough({ path, amount: chunk }, new Map(carried))
    if (out === undefined) continue
    const net = out - gasOfNew(path, carried, chunk) * request.gasCost
    if (!best || net > best.net) best = { path, net }
  }
  return best?.path
}

function add(flows: PathFlow[], flow: PathFlow): void {
  const at = flows.findIndex(
    ({ path }) =>
      path.length === flow.path.length && path.every((edge, i) => edge === flow.path[i]),
  )
  if (at < 0) flows.push(flow)
  else flows[at] = { ...flow, amount: flows[at]!.amount + flow.amount }
}

// Ascending, so that the largest path comes last and takes the remainder of rounded shares.
function ascending(flows: readonly PathFlow[]): readonly PathFlow[] {
  return flows.filter(({ amount }) => amount > 0).sort((a, b) => a.amount - b.amount)
}
