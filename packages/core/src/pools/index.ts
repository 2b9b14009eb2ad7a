import { BaseError } from '../errors.js'
import { type Address, concatHex, type Hex, toHex } from '../hex.js'
import type { Curve, Direction, Family, Movable, PoolBase, SwapLayout } from './family.js'
import { encoders, movables, swapLayouts } from './layouts.js'
import * as modules from './modules.js'

/** One liquidity contract's state at a block, tagged by its family: the pools of all modules. */
export type Pool = Parameters<(typeof modules)[keyof typeof modules]['getAmountOut']>[0]

/** The name of a family. */
export type FamilyName = Pool['family']

export type Families = { readonly [F in FamilyName]: Family<Extract<Pool, { family: F }>> }

/** All families; an object of its own, because a lookup in a module's namespace is slow. */
export const families: Families = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.assign({}, modules),
)

/**
 * Returns the family of a pool. Throws a {@link BadFamilyError} if there is none of that name. The solver
 * calls it once for each edge, and a replay once for each hop; hot loops run over numbers.
 */
export function familyOf<P extends Pool>(pool: P): Family<P> {
  const family = families[pool.family]
  // The list is a plain object, which inherits functions such as `toString`.
  if (typeof family?.getAmountOut !== 'function') {
    throw new BadFamilyError(`pool ${pool.id} is of the unknown family ${pool.family}`, {
      ...{ pool: pool.id, got: `${pool.family}`, wanted: Object.keys(families).join(', ') },
    })
  }
  // The tag selects the family of the pool's type; TypeScript cannot prove that they match.
  return family as unknown as Family<P>
}

/** Exact output of `pool` for `amountIn` wei; `0n` if the swap is not possible. */
export function getAmountOut(pool: Pool, direction: Direction, amountIn: bigint): bigint {
  return familyOf(pool).getAmountOut(pool, direction, amountIn)
}

/** The pool after that swap; `pool` itself where `getAmountOut` is `0n`. */
export function applySwap<P extends Pool>(pool: P, direction: Direction, amountIn: bigint): P {
  return familyOf(pool).applySwap(pool, direction, amountIn)
}

/** Returns whether the pool has no liquidity and therefore pays nothing for any amount. */
export function isEmpty(pool: Pool): boolean {
  return familyOf(pool).isEmpty(pool)
}

/** The pool in one direction as a gain function for the solver. */
export function toCurve(pool: Pool, direction: Direction): Curve {
  return familyOf(pool).toCurve(pool, direction)
}

/**
 * The part of `amountIn`, from 0 to 1, that is the pool's fee; `undefined` if the pool does not
 * separate its fee from its price.
 */
export function feeRate(pool: Pool, direction: Direction, amountIn: bigint): number | undefined {
  return familyOf(pool).feeRate(pool, direction, amountIn)
}

/** What of the pool somebody may move between a quote and its swap. */
export function movableOf(pool: Pool): Movable {
  const all: Readonly<Record<string, ((pool: never) => Movable) | undefined>> = movables
  return all[pool.family]?.(pool as never) ?? NOTHING_MOVABLE
}

/**
 * Returns whether somebody may move what the pool pays within a block: a rate that the pool is told, or a fee that
 * a contract beside it sets. A hop through it names a least rate.
 */
export function isMovable(pool: Pool): boolean {
  const { rates, isFeeMoving } = movableOf(pool)
  return isFeeMoving === true || rates.length > 0
}

const NOTHING_MOVABLE: Movable = { rates: [], feePpm: 0 }

/** Gas of one hop through the pool. */
export function estimateGas(pool: Pool, direction: Direction, amountIn: bigint): number {
  return familyOf(pool).estimateGas(pool, direction, amountIn)
}

/** The bytes of the hop in a program, by the layout of its family; none for a wrap, which the router does. */
export function encodeSwap(pool: Pool, direction: Direction): Hex {
  const all: Readonly<Record<string, ((pool: never, to: Direction) => Hex) | undefined>> = encoders
  const own = all[pool.family]?.(pool as never, direction)
  const layout: SwapLayout | undefined = swapLayouts[pool.family]
  if (own || !layout) return own ?? '0x'
  const { opcode, bytes, flag, fixedFlag } = layout
  const isZeroIn = direction.in === 0 ? 1 : 0
  const named = flag === 'coins' ? 16 * direction.in + direction.out : (fixedFlag ?? isZeroIn)
  const fee = bytes === LENGTH_WITH_FEE && 'feePpm' in pool ? [toHex(pool.feePpm, 3)] : []
  return concatHex(toHex(opcode, 1), calledContract(pool), toHex(named, 1), ...fee)
}

const LENGTH_WITH_FEE = 25

/** The least gas of a hop through the pool: no amount that the pool takes has a lower estimate. */
export function leastHopGas(pool: Pool, direction: Direction): number {
  const family = familyOf(pool)
  return family.leastGas?.(pool) ?? family.estimateGas(pool, direction, 1n)
}

/**
 * Returns whether the router, or the pool `payer`, can pay a pool's hop directly, so that the tokens do not
 * pass through the executor.
 */
export function canBePaidDirectly(pool: Pool, payer?: Pool): boolean {
  if (!swapLayouts[pool.family]?.isPaidBefore) return false
  return !payer || (payer.id !== pool.id && !swapLayouts[payer.family]?.paysItsCaller)
}

/** The contract that a hop through the pool calls. */
export function calledContract(pool: PoolBase): Address {
  return pool.manager ?? pool.id
}

/** A pool is of an unknown family; details name both. */
export class BadFamilyError extends BaseError {
  readonly code = 'BAD_FAMILY'
}
