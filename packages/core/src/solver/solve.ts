import type { Edge, Graph } from '../graph.js'
import { type Address, NATIVE } from '../hex.js'
import type { Order } from '../order.js'
import { gasOf, type PlannedHop, replay } from '../route.js'
import type { Flow } from './flow.js'
import type { Options } from './options.js'
import { bestPath } from './paths.js'
import { round } from './round.js'

const DEFAULT_MAX_HOPS = 4
const DEFAULT_MAX_LEGS = 24
const GAS_SHARE_OF_BLOCK = 0.8

// Numbers of equal parts tried; one is the best single path, so no answer is worse than that.
const PARTS = [1, 2, 4, 8, 16, 32, 64]

/**
 * The best route found for an order between two ERC-20 tokens: the order is cut into equal parts,
 * each takes the path that brings most given what the earlier ones took, and of several numbers of
 * parts the one with the best exact output (net of gas unless told otherwise) is kept. `undefined`
 * if no route can take the whole amount.
 */
export function solve(
  graph: Graph,
  order: Order,
  options: Options = {},
): readonly PlannedHop[] | undefined {
  const gasCost = gasCostOf(graph, order, options)
  const maxGas = options.maxGas ?? Number(graph.snapshot.block.gasLimit) * GAS_SHARE_OF_BLOCK
  const maxLegs = options.maxLegs ?? DEFAULT_MAX_LEGS
  let best: { readonly hops: readonly PlannedHop[]; readonly value: number } | undefined
  for (const parts of PARTS) {
    if (best && options.shouldStop?.()) break
    const flow = splitInto(graph, order, parts, options)
    if (!flow) continue
    const hops = round(flow)
    const walked = replay(hops, order)
    if (!walked || hops.length > maxLegs || gasOf(walked.route) > maxGas) continue
    const value = Number(walked.amountOut) - gasOf(walked.route) * gasCost
    if (!best || value > best.value) best = { hops, value }
  }
  return best?.hops
}

function splitInto(graph: Graph, order: Order, parts: number, options: Options): Flow | undefined {
  const flow = new Map<Edge, number>()
  const directionOfPool = new Map<Edge['pool'], Edge>()
  const amount = Number(order.amountIn) / parts
  const gain = (edge: Edge, x: number): number => {
    if (edge.tokenOut === NATIVE || options.excludedPools?.has(edge.pool.id)) return 0
    const used = directionOfPool.get(edge.pool)
    if (used && used !== edge) return 0
    const carried = flow.get(edge) ?? 0
    if (carried + x > edge.curve.limit || closesCycle(flow, edge)) return 0
    return edge.curve.out(carried + x) - edge.curve.out(carried)
  }
  for (let part = 0; part < parts; part++) {
    const path = bestPath(graph, {
      from: order.tokenIn,
      to: order.tokenOut,
      amount,
      maxHops: options.maxHops ?? DEFAULT_MAX_HOPS,
      gain,
    })
    if (!path) return undefined
    let x = amount
    for (const edge of path) {
      const out = gain(edge, x)
      flow.set(edge, (flow.get(edge) ?? 0) + x)
      directionOfPool.set(edge.pool, edge)
      x = out
    }
  }
  return flow
}

/** Whether the token an edge leads to already flows into the token it leaves. */
function closesCycle(flow: Flow, edge: Edge): boolean {
  const reached = new Set<Address>([edge.tokenOut])
  for (const token of reached) {
    if (token === edge.tokenIn) return true
    for (const used of flow.keys()) if (used.tokenIn === token) reached.add(used.tokenOut)
  }
  return false
}

/** Wei of the token out that one unit of gas costs, by the market's own small-size rate. */
function gasCostOf(graph: Graph, order: Order, options: Options): number {
  if (options.objective === 'gross') return 0
  const gasPrice = Number(options.gasPrice ?? graph.snapshot.block.gasPrice)
  const { wrappedNative } = graph.snapshot
  if (order.tokenOut === wrappedNative) return gasPrice
  const probe = 1e16
  const path = bestPath(graph, {
    from: wrappedNative,
    to: order.tokenOut,
    amount: probe,
    maxHops: DEFAULT_MAX_HOPS,
    gain: (edge, x) => (x > edge.curve.limit ? 0 : edge.curve.out(x)),
  })
  const out = path?.reduce((x, edge) => edge.curve.out(x), probe) ?? 0
  return (gasPrice * out) / probe
}
