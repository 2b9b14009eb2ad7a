/**
 * A slow search for better routes that shares no code with the solver: a local search over paths and
 * their parts, with exact replays. Input: a request, routes to start from, a number of solves.
 * Output: the best route found within the limits of the request.
 */
import { type PlannedHop, replay, transactionGasOf } from '@braid-swap/core/advanced'
import type { Edge } from '../edges.js'
import { type Evaluation, evaluate } from '../evaluate.js'
import type { Market } from '../market.js'
import { createPrng, type Prng } from '../prng.js'
import type { Request } from '../request.js'
import { bestPaths } from '../routers/paths.js'
import { hopsOfParts, type PathPart, pathsOfHops } from './pathFlow.js'

// Amounts at which paths are searched: a path that is best for a part is not best for the whole.
const AMOUNTS = [1, 1 / 4, 1 / 16, 1 / 64]
const PATHS_PER_AMOUNT = 16
const MAX_HOPS = 4
// Moves of flow to or from a path in one solve. Small ones stop a pool just before a tick, whose gas
// they save.
const MOVES = 5
const MIN_MOVE = 1e-4
const MAX_MOVE = 1.2
// A worse route is kept with this chance, to leave a local optimum.
const CHANCE_OF_WORSE = 0.02

type State = {
  readonly parts: readonly PathPart[]
  readonly value: number
  /** Absent if the route breaks a limit. */
  readonly worth?: Evaluation | undefined
}

/** The best route that `solves` local improvements find, from our own route and from nothing. */
export function searchRoutes(
  market: Market,
  request: Request,
  ask: {
    readonly start: readonly PlannedHop[] | undefined
    readonly solves: number
    readonly seed: number
  },
): Evaluation | undefined {
  const prng = createPrng(ask.seed)
  const candidates = candidatePaths(market, request)
  const first = candidates[0]
  if (!first) return undefined
  const starts: (readonly PathPart[])[] = [[{ path: first, part: 1 }]]
  if (ask.start) starts.push(pathsOfHops(market, request.order, ask.start))
  let best: Evaluation | undefined
  for (const parts of starts) {
    let state = rate(request, parts)
    best = better(best, state.worth)
    for (let n = 0; n < ask.solves / starts.length; n++) {
      const next = improve(request, mutate(state.parts, candidates, prng), prng)
      if (next.value > state.value || prng.next() < CHANCE_OF_WORSE) state = next
      best = better(best, next.worth)
    }
  }
  return best
}

function better(a: Evaluation | undefined, b: Evaluation | undefined): Evaluation | undefined {
  return a && b ? (b.net > a.net ? b : a) : (a ?? b)
}

function candidatePaths(market: Market, { order }: Request): readonly (readonly Edge[])[] {
  const found = AMOUNTS.flatMap((part) =>
    bestPaths(market.edges, {
      ...{ from: order.tokenIn, to: order.tokenOut, amount: Number(order.amountIn) * part },
      ...{ maxHops: MAX_HOPS, count: PATHS_PER_AMOUNT },
    }),
  )
  const byPools = new Map(found.map(({ path }) => [path.map(({ pool }) => pool.id).join(), path]))
  return [...byPools.values()]
}

/** One path more, one fewer, or one in the place of another. */
function mutate(
  parts: readonly PathPart[],
  candidates: readonly (readonly Edge[])[],
  prng: Prng,
): readonly PathPart[] {
  const path = prng.pick(candidates)
  const at = prng.below(Math.max(1, parts.length))
  const kind = prng.next()
  if (kind < 0.4 || parts.length === 0) {
    return [...parts, { path, part: prng.logBetween(0.01, 1) }]
  }
  if (kind < 0.7 && parts.length > 1) return parts.filter((_, i) => i !== at)
  return parts.map((own, i) => (i === at ? { ...own, path } : own))
}

/** Moves flow between paths as long as it pays. */
function improve(request: Request, parts: readonly PathPart[], prng: Prng): State {
  let state = rate(request, parts)
  for (let n = 0; n < MOVES && state.parts.length > 0; n++) {
    const at = prng.below(state.parts.length)
    const size = prng.logBetween(MIN_MOVE, MAX_MOVE)
    const factor = Math.exp(prng.next() < 0.5 ? size : -size)
    const next = state.parts.map((own, i) => (i === at ? { ...own, part: own.part * factor } : own))
    const moved = rate(request, next)
    if (moved.value > state.value) state = moved
  }
  return state
}

/**
 * The net output of paths. Routes above the limit of gas lose by their excess, so that the search can
 * pass through them.
 */
function rate(request: Request, parts: readonly PathPart[]): State {
  const impossible = { parts, value: Number.NEGATIVE_INFINITY }
  const hops = hopsOfParts(request.order, parts)
  if (!hops || hops.length > request.maxLegs) return impossible
  const worth = evaluate(request, hops)
  if (worth) return { parts, value: Number(worth.net), worth }
  const replayed = replay(hops, request.order)
  if (!replayed || request.maxGas === undefined) return impossible
  const excess = transactionGasOf(replayed.route) / request.maxGas
  return { parts, value: Number(replayed.amountOut) / excess ** 4 }
}
