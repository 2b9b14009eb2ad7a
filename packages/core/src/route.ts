import { type Address, type Hex, NATIVE } from './hex.js'
import { mulDivDown } from './math/fullMath.js'
import type { Direction } from './pools/family.js'
import { applySwap, estimateGas, getAmountOut, isPaidStraight, type Pool } from './pools/index.js'

/** The share of 100 %: a share is a uint24, and 0 means all that remains of the token. */
export const SHARE_ONE = 0xffffff
const SHARE_ONE_BIGINT = BigInt(SHARE_ONE)

/** One swap through one pool with exact amounts, in wei. */
export type Hop = {
  readonly pool: Pool
  readonly direction: Direction
  /** Part of what remains of the token in: `amountIn = floor(remaining · share / 0xFFFFFF)`; 0 takes all. */
  readonly share: number
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** Gas of this hop as the family estimates it. */
  readonly gas: number
}

/** Hops in the order they execute: a token's hops out come after every hop into it. */
export type Route = readonly Hop[]

/** A hop before its amounts are known: what the solver decides. */
export type PlannedHop = Pick<Hop, 'pool' | 'direction' | 'share'>

/** Where a walk begins and ends. */
export type Walk = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
}

/** A completed walk, or the hop at which the chain would revert. */
export type Walked =
  | { readonly route: Route; readonly amountOut: bigint; readonly failedHop?: never }
  | { readonly failedHop: number }

/**
 * Walks planned hops in exact integers as the executor will, from `amountIn` wei of `tokenIn`. A
 * pool used twice is met in the state that its earlier hop left. `undefined` where the chain would
 * revert: a hop whose pool cannot serve, or something of a token other than `tokenOut` left over.
 */
export function replay(
  hops: readonly PlannedHop[],
  walk: Walk,
): { readonly route: Route; readonly amountOut: bigint } | undefined {
  const walked = tryReplay(hops, walk)
  return walked.failedHop === undefined ? walked : undefined
}

/** {@link replay} that tells which hop failed; the number of hops where only a remainder is left. */
export function tryReplay(hops: readonly PlannedHop[], walk: Walk): Walked {
  const paid = pay(hops, walk)
  if (paid.failedHop !== undefined) return paid
  const route: Hop[] = []
  for (const [i, { pool, direction, share }] of hops.entries()) {
    const { state, amountIn, amountOut } = paid.steps[i]!
    const gas =
      estimateGas(state, direction, amountIn) -
      savedGas(route, { pool: state, direction, share }, amountIn)
    route.push({ pool, direction, share, amountIn, amountOut, gas })
  }
  return { route, amountOut: paid.amountOut }
}

/** What planned hops pay in wei, as {@link replay} walks them; `undefined` where the chain would revert. */
export function amountOutOf(hops: readonly PlannedHop[], walk: Walk): bigint | undefined {
  const paid = pay(hops, walk)
  return paid.failedHop === undefined ? paid.amountOut : undefined
}

/** A hop's amounts, and its pool in the state it was met in. */
type Step = { readonly state: Pool; readonly amountIn: bigint; readonly amountOut: bigint }

type Paid =
  | { readonly steps: readonly Step[]; readonly amountOut: bigint; readonly failedHop?: never }
  | { readonly failedHop: number }

function pay(hops: readonly PlannedHop[], walk: Walk): Paid {
  const held = new Map<Address, bigint>([[walk.tokenIn, walk.amountIn]])
  const moved = new Map<Hex, Pool>()
  const reused = poolsUsedTwice(hops)
  const steps: Step[] = []
  for (const [i, { pool, direction, share }] of hops.entries()) {
    const tokenIn = pool.tokens[direction.in]!
    const tokenOut = pool.tokens[direction.out]!
    const remaining = held.get(tokenIn) ?? 0n
    const amountIn =
      share === 0 ? remaining : mulDivDown(remaining, BigInt(share), SHARE_ONE_BIGINT)
    const state = moved.get(pool.id) ?? pool
    const amountOut = getAmountOut(state, direction, amountIn)
    if (amountOut === 0n) return { failedHop: i }
    held.set(tokenIn, remaining - amountIn)
    held.set(tokenOut, (held.get(tokenOut) ?? 0n) + amountOut)
    if (reused.has(pool.id)) moved.set(pool.id, applySwap(state, direction, amountIn))
    steps.push({ state, amountIn, amountOut })
  }
  const amountOut = held.get(walk.tokenOut) ?? 0n
  held.delete(walk.tokenOut)
  const isLeftOver = [...held.values()].some((amount) => amount !== 0n)
  return amountOut === 0n || isLeftOver ? { failedHop: hops.length } : { steps, amountOut }
}

function poolsUsedTwice(hops: readonly PlannedHop[]): ReadonlySet<Hex> {
  const once = new Set<Hex>()
  const twice = new Set<Hex>()
  for (const { pool } of hops) (once.has(pool.id) ? twice : once).add(pool.id)
  return twice
}

/**
 * Gas limit that a hop saves whose pair is paid by the router or by the pool before it, straight: as
 * docs/program.md has it, where all of what one hop brought goes on in the next.
 */
function savedGas(route: Route, { pool, direction, share }: PlannedHop, amountIn: bigint): number {
  if (share !== 0) return 0
  const payer = route.findLast((hop) => !hop.pool.tokens.includes(NATIVE))
  if (!payer) return isPaidStraight(pool) ? STOP_GAS : 0
  const brought = payer.pool.tokens[payer.direction.out]
  const isWhole = brought === pool.tokens[direction.in] && payer.amountOut === amountIn
  return isWhole && isPaidStraight(pool, payer.pool) ? STOP_GAS : 0
}

/** Gas of a whole swap transaction over the route: the router's fixed part and every hop. */
export function gasOf(route: Route): number {
  return route.reduce((gas, hop) => gas + hop.gas, ROUTER_GAS)
}

/** Least gas limit of a hop through the pool: of the smallest amount, and paid straight where it may be. */
export function leastGas(pool: Pool, direction: Direction): number {
  return estimateGas(pool, direction, 1n) - (isPaidStraight(pool) ? STOP_GAS : 0)
}

/**
 * Gas limit that funds take by stopping at the executor: a slot that leaves 0, a transfer, two readings,
 * 29,000 where one hop alone takes them. In a split they stop once for all its hops, and pairs are
 * mostly met in one: each is charged half.
 */
export const STOP_GAS = 15_000

/** Gas limit of the transaction around the hops: intrinsic, calldata, pull, checks, delivery. */
export const ROUTER_GAS = 84_000
