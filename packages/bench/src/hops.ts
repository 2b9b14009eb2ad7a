import {
  type Address,
  getAmountOut,
  type Order,
  type PlannedHop,
  SHARE_ONE,
} from '@braid-swap/core'
import type { Edge } from './edges.js'

/** A path of edges and the wei of the token in that it is given. */
export type PathAmount = { readonly path: readonly Edge[]; readonly amount: bigint }

/** Wei that flow into one edge. */
export type EdgeAmount = { readonly edge: Edge; readonly amountIn: bigint }

/**
 * Paths as hops, one path after the other: the first hop of each takes its share of what is left of
 * the token in, every later hop all that the path has brought so far. Faithful whatever the paths
 * share, at the price of a second hop where two paths use one pool. The last path takes the rest.
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
 * Paths as one flow: what they bring into a pool in one direction is swapped at once and shared
 * among them in proportion, and a token is split once after all that flows into it. `undefined`
 * where the flow has a cycle.
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
 * A flow as hops with shares of what remains: tokens from the token in downstream, a token's edges
 * from the smallest to the largest, which takes the rest. `undefined` on a cycle.
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

/** The share of `remaining` nearest to `amount`; never 0, which would mean all of it. */
function shareOf(amount: bigint, remaining: bigint): number {
  if (remaining === 0n) return 0
  const one = BigInt(SHARE_ONE)
  const share = Number((2n * amount * one + remaining) / (2n * remaining))
  return Math.min(SHARE_ONE, share)
}
