import { type PlannedHop, SHARE_ONE } from '@braid-swap/core'
import type { Edge } from './edges.js'
import type { Market } from './market.js'
import type { Request } from './request.js'

/** A route whose splits are real numbers: edges in order, each with its part of the token in. */
export type ContinuousRoute = {
  readonly edges: readonly Edge[]
  /** Part of all that flows into the edge's token, in [0, 1]; a token's parts add up to 1. */
  readonly parts: readonly number[]
}

/** Converts planned hops, whose shares are of the remaining balance, to parts of the whole. */
export function toContinuous(
  market: Market,
  hops: readonly PlannedHop[],
): ContinuousRoute | undefined {
  const remaining = new Map<string, number>()
  const edges: Edge[] = []
  const parts: number[] = []
  for (const { pool, direction, share } of hops) {
    const edge = market.edges.ofPool
      .get(pool)
      ?.find((own) => own.direction.in === direction.in && own.direction.out === direction.out)
    if (!edge || edges.some((used) => used.pool === pool)) return undefined
    const left = remaining.get(edge.tokenIn) ?? 1
    const part = share === 0 ? left : (left * share) / SHARE_ONE
    remaining.set(edge.tokenIn, left - part)
    edges.push(edge)
    parts.push(part)
  }
  return { edges, parts }
}

/** Output of a continuous route, computed with the float curves. */
export function outOf(route: ContinuousRoute, request: Request): number {
  return flowsOf(route, request).held.get(request.order.tokenOut) ?? 0
}

const SWEEPS = 60
const GAIN_WORTH_A_SWEEP = 1e-13

/**
 * The same edges with the best real splits, by coordinate ascent: at each token, flow moves from
 * the edge with the lowest marginal value to the one with the highest, by a line search, until
 * nothing improves. The output can only rise, so its distance to a route on a grid is at least the
 * loss by the grid.
 */
export function polish(route: ContinuousRoute, request: Request): ContinuousRoute {
  let best = route
  let bestOut = outOf(best, request)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const before = bestOut
    for (const token of new Set(route.edges.map(({ tokenIn }) => tokenIn))) {
      const step = bestExchange(best, request, token)
      if (!step) continue
      const next = lineSearch(best, request, step)
      if (next.out > bestOut) {
        best = next.route
        bestOut = next.out
      }
    }
    if (bestOut - before <= before * GAIN_WORTH_A_SWEEP) break
  }
  return best
}

type Step = { readonly from: number; readonly to: number }

function bestExchange(route: ContinuousRoute, request: Request, token: string): Step | undefined {
  const marginal = marginalValues(route, request)
  const own = [...route.edges.keys()].filter((i) => route.edges[i]!.tokenIn === token)
  if (own.length < 2) return undefined
  const to = own.reduce((a, b) => (marginal[b]! > marginal[a]! ? b : a))
  const givers = own.filter((i) => i !== to && route.parts[i]! > 0)
  if (givers.length === 0) return undefined
  return { from: givers.reduce((a, b) => (marginal[b]! < marginal[a]! ? b : a)), to }
}

// Golden-section search over the part moved; the output is concave in it.
function lineSearch(route: ContinuousRoute, request: Request, { from, to }: Step) {
  const at = (moved: number): ContinuousRoute => ({
    edges: route.edges,
    parts: route.parts.map((part, i) => part + (i === to ? moved : i === from ? -moved : 0)),
  })
  const ratio = (Math.sqrt(5) - 1) / 2
  let [low, high] = [0, route.parts[from]!]
  for (let i = 0; i < 50; i++) {
    const [a, b] = [high - ratio * (high - low), low + ratio * (high - low)]
    if (outOf(at(a), request) < outOf(at(b), request)) low = a
    else high = b
  }
  const chosen = at((low + high) / 2)
  return { route: chosen, out: outOf(chosen, request) }
}

function flowsOf(route: ContinuousRoute, request: Request) {
  const { tokenIn, amountIn } = request.order
  const held = new Map<string, number>([[tokenIn, Number(amountIn)]])
  const inputs = route.edges.map((edge, i) => {
    const input = (held.get(edge.tokenIn) ?? 0) * route.parts[i]!
    const out = edge.curve.out(Math.min(input, edge.curve.limit))
    held.set(edge.tokenOut, (held.get(edge.tokenOut) ?? 0) + out)
    return input
  })
  return { held, inputs }
}

/** Marginal value of each edge's input in the token out: h′(x) times the value downstream. */
function marginalValues(route: ContinuousRoute, request: Request): readonly number[] {
  const { inputs } = flowsOf(route, request)
  const worthOf = new Map<string, number>([[request.order.tokenOut, 1]])
  const values = route.edges.map(() => 0)
  for (let i = route.edges.length - 1; i >= 0; i--) {
    const edge = route.edges[i]!
    values[i] = edge.curve.price(inputs[i]!) * (worthOf.get(edge.tokenOut) ?? 0)
    // The value of a token is Σ part · marginal value of its edges.
    worthOf.set(edge.tokenIn, (worthOf.get(edge.tokenIn) ?? 0) + route.parts[i]! * values[i]!)
  }
  return values
}

/**
 * Rounds a continuous route to shares of 1/`one` of the remaining balance; the last edge takes the
 * rest.
 */
export function onGrid(route: ContinuousRoute, one: number): ContinuousRoute {
  const left = new Map<string, number>()
  const lastOf = new Map(route.edges.map(({ tokenIn }, i) => [tokenIn, i]))
  const parts = route.parts.map((part, i) => {
    const { tokenIn } = route.edges[i]!
    const remaining = left.get(tokenIn) ?? 1
    const isLast = lastOf.get(tokenIn) === i
    const taken = isLast
      ? remaining
      : (remaining * Math.floor((part / Math.max(remaining, 1e-300)) * one + 0.5)) / one
    left.set(tokenIn, remaining - taken)
    return taken
  })
  return { edges: route.edges, parts }
}
