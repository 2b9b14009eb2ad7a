/**
 * A route as a flow on paths. Input: planned hops, or paths with parts of the amount. Output: the
 * other of the two. The search moves amounts between paths.
 */
import type { Order } from '@braid-swap/core'
import { type PlannedHop, SHARE_ONE } from '@braid-swap/core/advanced'
import type { Edge } from '../edges.js'
import { mergedHopsOfPaths } from '../hops.js'
import type { Market } from '../market.js'

/** A path with its part of the amount in, above 0. */
export type PathPart = { readonly path: readonly Edge[]; readonly part: number }

// Paths with a smaller part are left out; a route of many hops has very many of them.
const MIN_PART = 1e-4
const PARTS = 1e12

/** The paths through a route, each with the product of the shares along it. */
export function pathsOfHops(
  market: Market,
  order: Order,
  hops: readonly PlannedHop[],
): readonly PathPart[] {
  const from = new Map<string, { readonly edge: Edge; readonly part: number }[]>()
  const left = new Map<string, number>()
  for (const { pool, direction, share } of hops) {
    const edge = market.edges.ofPool
      .get(pool)
      ?.find(({ direction: own }) => own.in === direction.in && own.out === direction.out)
    if (!edge) continue
    const before = left.get(edge.tokenIn) ?? 1
    const part = share === 0 ? before : (before * share) / SHARE_ONE
    left.set(edge.tokenIn, before - part)
    from.set(edge.tokenIn, [...(from.get(edge.tokenIn) ?? []), { edge, part }])
  }
  const found: PathPart[] = []
  const walk = (path: readonly Edge[], token: string, part: number): void => {
    if (part < MIN_PART) return
    if (token === order.tokenOut) {
      found.push({ path, part })
      return
    }
    for (const next of from.get(token) ?? []) {
      walk([...path, next.edge], next.edge.tokenOut, part * next.part)
    }
  }
  walk([], order.tokenIn, 1)
  return found
}

/** Paths as hops; `undefined` if together they have a cycle. */
export function hopsOfParts(
  order: Order,
  parts: readonly PathPart[],
): readonly PlannedHop[] | undefined {
  const whole = parts.reduce((sum, { part }) => sum + part, 0)
  const amounts = parts.map(({ path, part }) => ({
    path,
    amount: (order.amountIn * BigInt(Math.round((part / whole) * PARTS))) / BigInt(PARTS),
  }))
  const rest = order.amountIn - amounts.reduce((sum, { amount }) => sum + amount, 0n)
  const first = amounts[0]
  if (!first) return undefined
  return mergedHopsOfPaths(amounts.with(0, { ...first, amount: first.amount + rest }), order)
}
