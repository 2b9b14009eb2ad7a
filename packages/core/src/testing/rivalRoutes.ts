import type { Bound } from '../certificate/bound.js'
import type { Order } from '../order.js'
import type { Direction } from '../pools/family.js'
import { getAmountOut, type Pool } from '../pools/index.js'
import { amountOutOf, type PlannedHop, replay, SHARE_ONE, transactionGasOf } from '../replay.js'

/** A pool in one direction, and a path of them. */
type Step = { readonly pool: Pool; readonly direction: Direction }
type Path = readonly Step[]

// Paths that are tried alone, those that a split is made of, and the parts that it is made in.
const MAX_PATHS = 300
const SPLIT_PATHS = 6
const PARTS = 8

/**
 * The highest worth, net of gas, of routes that a simple search finds over the pools that a bound
 * covers and within its terms: single paths, and splits over the best of them in equal parts or in
 * parts added one by one. All amounts are exact replays. It shares no code with the solver.
 */
export function bestRivalWorth(
  pools: readonly Pool[],
  order: Order,
  bound: Bound,
): number | undefined {
  const steps = stepsOf(pools, order, bound)
  const paths = pathsBetween(steps, order)
  const ranked = paths
    .map((path) => ({ path, out: amountOutOf(hopsOf([path]) ?? [], order) ?? 0n }))
    .sort((a, b) => Number(b.out - a.out))
    .map(({ path }) => path)
  const best = ranked.slice(0, SPLIT_PATHS)
  const routes = [
    ...ranked.map((path) => [path]),
    ...best.map((_, n) => best.slice(0, n + 1)),
    ...addedByParts(best, order),
  ]
  const worths = routes.flatMap((route) => worthOf(route, order, bound) ?? [])
  return worths.length > 0 ? Math.max(...worths) : undefined
}
/** The worth of a route over paths, one part of the amount for each; `undefined` beyond the terms. */
function worthOf(parts: readonly Path[], order: Order, bound: Bound): number | undefined {
  const hops = hopsOf(parts)
  const replayed = hops && replay(hops, order)
  if (!replayed || replayed.route.length > bound.maxLegs) return undefined
  const gas = transactionGasOf(replayed.route)
  return gas > bound.maxGas ? undefined : Number(replayed.amountOut) - gas * bound.gasCost
}

function stepsOf(pools: readonly Pool[], { tokenIn, tokenOut }: Order, bound: Bound) {
  const [aside, excluded] = [new Set(bound.setAside), new Set(bound.excluded)]
  return pools
    .filter(({ id }) => !excluded.has(id))
    .flatMap((pool): Step[] => [
      { pool, direction: { in: 0, out: 1 } },
      { pool, direction: { in: 1, out: 0 } },
    ])
    .filter((step) => tokenOutOf(step) !== tokenIn && tokenInOf(step) !== tokenOut)
    .filter(
      (step) =>
        !aside.has(step.pool.id) || (tokenInOf(step) === tokenIn && tokenOutOf(step) === tokenOut),
    )
}

const tokenInOf = ({ pool, direction }: Step) => pool.tokens[direction.in]!
const tokenOutOf = ({ pool, direction }: Step) => pool.tokens[direction.out]!

/** Simple paths on which every hop pays something. */
function pathsBetween(steps: readonly Step[], { tokenIn, tokenOut, amountIn }: Order) {
  const found: Path[] = []
  const visit = (path: Path, amount: bigint): void => {
    const at = path.length === 0 ? tokenIn : tokenOutOf(path.at(-1)!)
    if (at === tokenOut) found.push(path)
    if (at === tokenOut || found.length >= MAX_PATHS) return
    for (const step of steps) {
      if (tokenInOf(step) !== at || path.some((one) => tokenInOf(one) === tokenOutOf(step)))
        continue
      const out = getAmountOut(step.pool, step.direction, amount)
      if (out > 0n) visit([...path, step], out)
    }
  }
  visit([], amountIn)
  return found
}

/** Routes to which the path that adds most is added part by part. */
function addedByParts(paths: readonly Path[], order: Order): readonly (readonly Path[])[] {
  const routes: (readonly Path[])[] = []
  let parts: readonly Path[] = []
  for (let n = 1; n <= PARTS; n++) {
    const amountIn = (order.amountIn * BigInt(n)) / BigInt(PARTS)
    if (amountIn === 0n) continue
    const longer = paths
      .map((path) => [...parts, path])
      .map((route) => ({
        route,
        out: amountOutOf(hopsOf(route) ?? [], { ...order, amountIn }),
      }))
      .filter(({ out }) => out !== undefined)
      .sort((a, b) => Number(b.out! - a.out!))
    parts = longer[0]?.route ?? parts
    routes.push(parts)
  }
  return routes
}

/**
 * The hops of a route that sends the same part along each of the paths. `undefined` if the paths form
 * a cycle. A token passes on what it gets in proportion to the number of paths on each of its hops.
 */
function hopsOf(paths: readonly Path[]): readonly PlannedHop[] | undefined {
  const uses = new Map<string, { readonly step: Step; count: number }>()
  for (const step of paths.flat()) {
    const key = `${step.pool.id} ${tokenInOf(step)} ${tokenOutOf(step)}`
    const known = uses.get(key)
    if (known) known.count++
    else uses.set(key, { step, count: 1 })
  }
  const hops: PlannedHop[] = []
  let waiting = [...uses.values()]
  while (waiting.length > 0) {
    const ready = waiting.find(
      ({ step }) => !waiting.some((other) => tokenOutOf(other.step) === tokenInOf(step)),
    )
    if (!ready) return undefined
    const here = waiting.filter(({ step }) => tokenInOf(step) === tokenInOf(ready.step))
    let left = here.reduce((sum, { count }) => sum + count, 0)
    for (const { step, count } of here) {
      const share = count === left ? 0 : Math.floor((SHARE_ONE * count) / left)
      hops.push({ ...step, share })
      left -= count
    }
    waiting = waiting.filter((use) => !here.includes(use))
  }
  return hops
}
