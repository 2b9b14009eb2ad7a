import { type Address, type Hex, NATIVE } from './hex.js'
import { mulDivDown } from './math/fullMath.js'
import type { Direction } from './pools/family.js'
import { canBePaidDirectly, familyOf, leastHopGas, type Pool } from './pools/index.js'

/** The share of 100 %. A share is a uint24, and 0 means all that remains of the token. */
export const SHARE_ONE = 0xffffff
const SHARE_ONE_BIGINT = BigInt(SHARE_ONE)

/** One swap through one pool with exact amounts, in wei. */
export type Hop = {
  readonly pool: Pool
  readonly direction: Direction
  /** Share of the remaining token in: `amountIn = ⌊remaining · share / 0xFFFFFF⌋`; 0 takes all. */
  readonly share: number
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** Gas of this hop as the family estimates it. */
  readonly gas: number
}

/** Hops in execution order: the hops out of a token come after every hop into it. */
export type Route = readonly Hop[]

/** A hop without amounts, as the solver decides it. */
export type PlannedHop = Pick<Hop, 'pool' | 'direction' | 'share'>

/** The ends and the input of a replay. */
export type ReplayEnds = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
}

/** A completed replay, or the hop at which the chain would revert. */
export type Replayed =
  | { readonly route: Route; readonly amountOut: bigint; readonly failedHop?: never }
  | { readonly failedHop: number }

/**
 * Executes planned hops in exact integers as the executor does, from `amountIn` wei of `tokenIn`.
 * If a pool is used twice, the second hop sees the state after the first. `undefined` if the chain
 * would revert: a pool cannot serve its hop, or a token other than `tokenOut` is left over. Also if an
 * earlier hop changed what a pool pays (`ratedBy`), because its state does not say to what.
 */
export function replay(
  hops: readonly PlannedHop[],
  ends: ReplayEnds,
): { readonly route: Route; readonly amountOut: bigint } | undefined {
  const replayed = tryReplay(hops, ends)
  return replayed.failedHop === undefined ? replayed : undefined
}

/** {@link replay} that reports which hop failed; `hops.length` if the end state is the fault. */
export function tryReplay(hops: readonly PlannedHop[], ends: ReplayEnds): Replayed {
  const paid = execute(hops, ends)
  if (paid.failedHop !== undefined) return paid
  const route: Hop[] = []
  for (const [i, { pool, direction, share }] of hops.entries()) {
    const { state, amountIn, amountOut } = paid.steps[i]!
    const gas =
      familyOf(state).estimateGas(state, direction, amountIn) -
      savedGas({ route, hop: { pool: state, direction, share }, amountIn })
    route.push({ pool, direction, share, amountIn, amountOut, gas })
  }
  return { route, amountOut: paid.amountOut }
}

/** Output of planned hops in wei, as in {@link replay}; `undefined` if the chain would revert. */
export function amountOutOf(hops: readonly PlannedHop[], ends: ReplayEnds): bigint | undefined {
  const paid = execute(hops, ends)
  return paid.failedHop === undefined ? paid.amountOut : undefined
}

/** A hop's amounts, and the state of its pool before the hop. */
type Step = { readonly state: Pool; readonly amountIn: bigint; readonly amountOut: bigint }

type Execution =
  | { readonly steps: readonly Step[]; readonly amountOut: bigint; readonly failedHop?: never }
  | { readonly failedHop: number }

function execute(hops: readonly PlannedHop[], ends: ReplayEnds): Execution {
  const held = new Map<Address, bigint>([[ends.tokenIn, ends.amountIn]])
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
    if (state.ratedBy !== undefined && isUsedBefore(hops, i, state.ratedBy)) return { failedHop: i }
    const family = familyOf(state)
    const amountOut = family.getAmountOut(state, direction, amountIn)
    if (amountOut === 0n) return { failedHop: i }
    held.set(tokenIn, remaining - amountIn)
    held.set(tokenOut, (held.get(tokenOut) ?? 0n) + amountOut)
    if (reused.has(pool.id)) moved.set(pool.id, family.applySwap(state, direction, amountIn))
    steps.push({ state, amountIn, amountOut })
  }
  const amountOut = held.get(ends.tokenOut) ?? 0n
  held.delete(ends.tokenOut)
  const isLeftOver = [...held.values()].some((amount) => amount !== 0n)
  return amountOut === 0n || isLeftOver ? { failedHop: hops.length } : { steps, amountOut }
}

function isUsedBefore(hops: readonly PlannedHop[], end: number, id: Hex): boolean {
  return hops.slice(0, end).some(({ pool }) => pool.id === id)
}

function poolsUsedTwice(hops: readonly PlannedHop[]): ReadonlySet<Hex> {
  const once = new Set<Hex>()
  const twice = new Set<Hex>()
  for (const { pool } of hops) (once.has(pool.id) ? twice : once).add(pool.id)
  return twice
}

/**
 * Gas that a hop saves if the router or the previous pool pays its pair directly (docs/program.md).
 * This is possible if the hop takes the whole output of the previous one.
 */
function savedGas(at: {
  readonly route: Route
  readonly hop: PlannedHop
  readonly amountIn: bigint
}): number {
  const { route, hop, amountIn } = at
  const { pool, direction, share } = hop
  if (share !== 0) return 0
  const payer = route.findLast((before) => !before.pool.tokens.includes(NATIVE))
  if (!payer) return canBePaidDirectly(pool) ? CUSTODY_GAS : 0
  const brought = payer.pool.tokens[payer.direction.out]
  const isWhole = brought === pool.tokens[direction.in] && payer.amountOut === amountIn
  return isWhole && canBePaidDirectly(pool, payer.pool) ? CUSTODY_GAS : 0
}

/** Gas of a whole swap transaction over the route: the router's fixed part and every hop. */
export function transactionGasOf(route: Route): number {
  return route.reduce((gas, hop) => gas + hop.gas, ROUTER_GAS)
}

/** Least gas of a hop through the pool, paid directly if possible. */
export function leastGas(pool: Pool, direction: Direction): number {
  const saved = canBePaidDirectly(pool) ? CUSTODY_GAS : 0
  return leastHopGas(pool, direction) - saved
}

/**
 * Gas of passing funds through the executor: a storage slot that leaves 0, a transfer and two
 * reads. 29,000 if one hop takes them all. In a split, funds stop once for all its hops, and most
 * pairs are in a split, so each hop is charged half.
 */
export const CUSTODY_GAS = 15_000

/** Gas of the transaction around the hops: intrinsic, calldata, pull, checks, delivery. */
export const ROUTER_GAS = 84_000
