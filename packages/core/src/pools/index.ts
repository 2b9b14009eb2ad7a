import { BaseError } from '../errors.js'
import type { Address, Hex } from '../hex.js'
import type { Node } from '../shape/shape.js'
import * as algebraIntegral from './algebraIntegral/index.js'
import * as algebraV1 from './algebraV1/index.js'
import * as balancerBuffer from './balancerBuffer/index.js'
import * as balancerV2 from './balancerV2/index.js'
import * as balancerV3 from './balancerV3/index.js'
import * as camelot from './camelot/index.js'
import * as curveCrypto from './curveCrypto/index.js'
import * as curveStableSwap from './curveStableSwap/index.js'
import * as erc4626 from './erc4626/index.js'
import type { Curve, Direction, Family, PoolBase, SwapLayout } from './family.js'
import * as ladder from './ladder/index.js'
import * as liquidityBook from './liquidityBook/index.js'
import type { OutsidePools } from './outsidePools.js'
import * as solidly from './solidly/index.js'
import * as stex from './stex/index.js'
import * as uniswapV2 from './uniswapV2/index.js'
import * as uniswapV3 from './uniswapV3/index.js'
import * as uniswapV4 from './uniswapV4/index.js'
import * as wrap from './wrap/index.js'

/** One liquidity contract's state at a block, tagged by its family. */
export type Pool = BuiltInPool | OutsidePools[keyof OutsidePools]

type BuiltInPool =
  | balancerBuffer.BalancerBufferPool
  | balancerV2.BalancerV2Pool
  | balancerV3.BalancerV3Pool
  | camelot.CamelotPool
  | curveCrypto.CurveCryptoPool
  | curveStableSwap.CurveStableSwapPool
  | ladder.LadderPool
  | liquidityBook.LiquidityBookPool
  | solidly.SolidlyPool
  | algebraIntegral.AlgebraIntegralPool
  | algebraV1.AlgebraV1Pool
  | erc4626.Erc4626Pool
  | stex.StexPool
  | uniswapV2.UniswapV2Pool
  | uniswapV3.UniswapV3Pool
  | uniswapV4.UniswapV4Pool
  | wrap.WrapPool

/** The name of a built-in family. */
export type FamilyName = BuiltInPool['family']

/** A family of any pools, from here or from outside. */
export type AnyFamily = Omit<Family<never>, 'applySwap' | 'shape'> & {
  readonly shape: Node
  readonly applySwap: (pool: never, direction: Direction, amountIn: bigint) => PoolBase
}

/** The families that a market is computed with, by name: `families`, or others beside them. */
export type Registry = Readonly<Record<string, AnyFamily>>

type Families = { readonly [F in FamilyName]: Family<Extract<BuiltInPool, { family: F }>> }

/** All built-in families; the only list. */
export const families: Families = {
  algebraIntegral,
  algebraV1,
  balancerBuffer,
  balancerV2,
  balancerV3,
  camelot,
  curveCrypto,
  curveStableSwap,
  erc4626,
  ladder,
  liquidityBook,
  solidly,
  stex,
  uniswapV2,
  uniswapV3,
  uniswapV4,
  wrap,
}

/**
 * The family of a pool. Throws a {@link BadFamilyError} if the registry has none of that name. The solver
 * calls it once for each edge, and a replay once for each hop; hot loops run over numbers.
 */
export function familyOf<P extends Pool>(registry: Registry, pool: P): Family<P> {
  const family = registry[pool.family]
  // A registry is a plain object, which inherits functions such as `toString`.
  if (typeof family?.getAmountOut !== 'function') {
    throw new BadFamilyError(
      `pool ${pool.id} is of the family ${pool.family}, which is not given`,
      {
        ...{ pool: pool.id, got: `${pool.family}`, wanted: Object.keys(registry).join(', ') },
      },
    )
  }
  // The tag selects the family of the pool's type; TypeScript cannot prove that they match.
  return family as unknown as Family<P>
}

/** Exact output of `pool` for `amountIn` wei; `0n` if the swap is not possible. */
export function getAmountOut(pool: Pool, direction: Direction, amountIn: bigint): bigint {
  return familyOf(families, pool).getAmountOut(pool, direction, amountIn)
}

/** The pool after that swap. */
export function applySwap<P extends Pool>(pool: P, direction: Direction, amountIn: bigint): P {
  return familyOf(families, pool).applySwap(pool, direction, amountIn)
}

/** Whether the pool has no liquidity and therefore pays nothing for any amount. */
export function isEmpty(pool: Pool): boolean {
  return familyOf(families, pool).isEmpty(pool)
}

/** The pool in one direction as a gain function for the solver. */
export function toCurve(pool: Pool, direction: Direction): Curve {
  return familyOf(families, pool).toCurve(pool, direction)
}

/**
 * The part of `amountIn`, from 0 to 1, that is the pool's fee; `undefined` if the pool does not
 * separate its fee from its price.
 */
export function feeRate(pool: Pool, direction: Direction, amountIn: bigint): number | undefined {
  return familyOf(families, pool).feeRate(pool, direction, amountIn)
}

/** Gas of one hop through the pool. */
export function estimateGas(pool: Pool, direction: Direction, amountIn: bigint): number {
  return familyOf(families, pool).estimateGas(pool, direction, amountIn)
}

/** The bytes of the hop in a program. */
export function encodeSwap(pool: Pool, direction: Direction): Hex {
  return familyOf(families, pool).encodeSwap(pool, direction)
}

/** The least gas of a hop through the pool: no amount that the pool takes has a lower estimate. */
export function leastHopGas(registry: Registry, pool: Pool, direction: Direction): number {
  const family = familyOf(registry, pool)
  return family.leastGas?.(pool) ?? family.estimateGas(pool, direction, 1n)
}

/**
 * Whether the router, or the pool `payer`, can pay a pool's hop directly, so that the tokens do not
 * pass through the executor.
 */
export function canBePaidDirectly(registry: Registry, pool: Pool, payer?: Pool): boolean {
  if (!familyOf(registry, pool).swapLayout?.isPaidBefore) return false
  return !payer || (payer.id !== pool.id && !familyOf(registry, payer).swapLayout?.paysItsCaller)
}

/** The contract that a hop through the pool calls. */
export function calledContract(pool: PoolBase): Address {
  return pool.manager ?? pool.id
}

/**
 * The families called by the swap with this `opcode`, and the swap's length in bytes; `undefined`
 * if there is none. Families that share an opcode cannot be distinguished in a program.
 */
export function swapOfOpcode(
  registry: Registry,
  opcode: number,
): ({ readonly families: readonly Pool['family'][] } & SwapLayout) | undefined {
  const called = Object.entries(registry).filter(([, one]) => one.swapLayout?.opcode === opcode)
  const layout = called[0]?.[1].swapLayout
  return layout && { families: called.map(([name]) => name as Pool['family']), ...layout }
}

/** A registry cannot be used, or has no family for a pool; details name which. */
export class BadFamilyError extends BaseError {
  readonly code = 'BAD_FAMILY'
}

// Each family alone, so that a bundler can leave the others out.
export {
  algebraIntegral,
  algebraV1,
  balancerBuffer,
  balancerV2,
  balancerV3,
  camelot,
  curveCrypto,
  curveStableSwap,
  erc4626,
  ladder,
  liquidityBook,
  solidly,
  stex,
  uniswapV2,
  uniswapV3,
  uniswapV4,
  wrap,
}
