import type { Address, Order } from '@braid-swap/core'
import { type PlannedHop, SHARE_ONE } from '@braid-swap/core/advanced'
import { getAmountOut } from '@braid-swap/core/families'
import type { Edge } from './edges.js'

/** A path of edges with its input in wei. */
export type PathAmount = { readonly path: readonly Edge[]; readonly amount: bigint }

/** An edge with its input in wei. */
export type EdgeAmount = { readonly edge: Edge; readonly amountIn: bigint }

/**
 * Paths as hops, one path after the other. The first hop of a path takes its share of the remaining
 * token in; each later hop takes the whole output of the hop before. The last path takes the rest.
 * Correct for any paths, but a pool that two paths share is called twice.
 */
export function hopsOfPaths(
  paths: readonly PathAmount[],
  amountIn: bigint,
): readonly PlannedHop[] | undefined {
  const used = paths.filter(({ amount }) => amount > 0n)
  const hops: PlannedHop[] = []
  let remaining = amountIn
  for (const [i, { path, amount }] of used.entries()) {
    const isLast = i === used.length - 1
    const share = isLast ? 0 : shareOf(amount, remaining)
    if (!isLast && share === 0) continue
    remaining -= isLast ? remaining : (remaining * BigInt(share)) / BigInt(SHARE_ONE)
    for (const [at, edge] of path.entries()) {
      hops.push({ pool: edge.pool, direction: edge.direction, share: at === 0 ? share : 0 })
    }
  }
  return hops.length > 0 ? hops : undefined
}

/**
 * Paths merged into one flow: their inputs to a shared pool are swapped together, and the output is
 * divided in proportion. A token is split once, after all flow into it has arrived. `undefined` if
 * the flow has a cycle.
 */
export function mergedHopsOfPaths(
  paths: readonly PathAmount[],
  order: Order,
): readonly PlannedHop[] | undefined {
  const used = paths.filter(({ amount }) => amount > 0n)
  const edges = [...new Set(used.flatMap(({ path }) => path))]
  const tokens = sortTokens(edges, order.tokenIn)
  if (!tokens) return undefined
  const amounts = used.map(({ amount }) => amount)
  const flow: EdgeAmount[] = []
  for (const token of tokens) {
    for (const edge of edges) {
      if (edge.tokenIn !== token) continue
      const through = [...used.keys()].filter((i) => used[i]!.path.includes(edge))
      const amountIn = through.reduce((sum, i) => sum + amounts[i]!, 0n)
      const out = getAmountOut(edge.pool, edge.direction, amountIn)
      for (const i of through) amounts[i] = amountIn === 0n ? 0n : (amounts[i]! * out) / amountIn
      flow.push({ edge, amountIn })
    }
  }
  return hopsOfFlow(flow, order.tokenIn)
}

/**
 * A flow as hops with shares of the remaining balance: tokens in topological order, the edges of a
 * token from the smallest to the largest, which takes the rest. `undefined` on a cycle.
 */
function hopsOfFlow(
  flow: readonly EdgeAmount[],
  tokenIn: Address,
): readonly PlannedHop[] | undefined {
  const order = sortTokens(
    flow.map(({ edge }) => edge),
    tokenIn,
  )
  if (!order) return undefined
  const hops: PlannedHop[] = []
  for (const token of order) {
    const out = flow.filter(({ edge, amountIn }) => edge.tokenIn === token && amountIn > 0n)
    out.sort((a, b) => (a.amountIn < b.amountIn ? -1 : a.amountIn > b.amountIn ? 1 : 0))
    let remaining = out.reduce((sum, { amountIn }) => sum + amountIn, 0n)
    for (const [i, { edge, amountIn }] of out.entries()) {
      const isLast = i === out.length - 1
      const share = isLast ? 0 : shareOf(amountIn, remaining)
      remaining -= amountIn
      if (isLast || share > 0) hops.push({ pool: edge.pool, direction: edge.direction, share })
    }
  }
  return hops
}

function sortTokens(edges: readonly Edge[], from: Address): readonly Address[] | undefined {
  const inDegree = new Map<Address, number>([[from, 0]])
  for (const edge of edges) {
    inDegree.set(edge.tokenIn, inDegree.get(edge.tokenIn) ?? 0)
    inDegree.set(edge.tokenOut, (inDegree.get(edge.tokenOut) ?? 0) + 1)
  }
  const ready = [...inDegree].filter(([, degree]) => degree === 0).map(([token]) => token)
  const order: Address[] = []
  for (let token = ready.shift(); token !== undefined; token = ready.shift()) {
    order.push(token)
    for (const edge of edges) {
      if (edge.tokenIn !== token) continue
      const degree = (inDegree.get(edge.tokenOut) ?? 0) - 1
      inDegree.set(edge.tokenOut, degree)
      if (degree === 0) ready.push(edge.tokenOut)
    }
  }
  return order.length === inDegree.size ? order : undefined
}

/** The share of `remaining` nearest to `amount`; 0 if it rounds to nothing. */
function shareOf(amount: bigint, remaining: bigint): number {
  if (remaining === 0n) return 0
  const one = BigInt(SHARE_ONE)
  const share = Number((2n * amount * one + remaining) / (2n * remaining))
  return Math.min(SHARE_ONE, share)
}
