import type { Address } from '../../hex.js'
import type { InvariantRounding } from '../../math/stableSwap.js'
import type { PoolBase } from '../family.js'

/** A change of A that is under way: A moves linearly in time from `initialA` to the pool's `A`. */
export type AmplificationRamp = {
  readonly initialA: bigint
  /** Unix seconds. */
  readonly initialATime: bigint
  readonly futureATime: bigint
}

/**
 * A Curve StableSwap pool of two to eight coins: StableSwap-NG (`isNg`) or one of the pools before
 * it. A meta pool is a pool of its own coin and of the base pool's LP token.
 */
export type CurveStableSwapPool = PoolBase & {
  readonly family: 'curveStableSwap'
  readonly tokens: readonly Address[]
  /** True if it is a StableSwap-NG pool, which also keeps prices for oracles in each swap. */
  readonly isNg: boolean
  /** Without the fees that the admin can withdraw, in wei. */
  readonly balances: readonly bigint[]
  /** 10^(36 − decimals) of each coin, times its own rate if it has one. */
  readonly rates: readonly bigint[]
  /** A times `aPrecision`; after the ramp, if one is under way. */
  readonly A: bigint
  readonly aPrecision: bigint
  /** Absent if A does not change; with it, the pool depends on time (`quotedAt`). */
  readonly ramp?: AmplificationRamp
  readonly rounding: InvariantRounding
  /** In 10⁻¹⁰ of the output. */
  readonly fee: bigint
  /** By how much the fee grows as the pool leaves its balance, times 10¹⁰; 10¹⁰ or less: not at all. */
  readonly offpegFeeMultiplier: bigint
  /** The part of each fee that leaves the balances, in 10⁻¹⁰. */
  readonly adminFee: bigint
}
