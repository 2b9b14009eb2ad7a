import type { Address } from '../../hex.js'
import type { PoolBase } from '../family.js'
import type { AmpRamp } from '../weightedStable.js'

/** Of a weighted pool. */
export type WeightedForm = {
  readonly kind: 'weighted'
  /** The weight of each token with 18 decimals; their sum is 1. */
  readonly normalizedWeights: readonly bigint[]
  /**
   * The least balance of each token in the common unit of 18 decimals. Only newer pools have it; they
   * also round the balance of the token in up by one.
   */
  readonly minTokenBalances?: readonly bigint[]
}

/** Of a stable pool. */
export type StableForm = {
  readonly kind: 'stable'
  /** The amplification parameter times 1,000; after the ramp, if one is under way. */
  readonly amp: bigint
  /** Absent if the parameter does not change; with it, the pool depends on time (`quotedAt`). */
  readonly ramp?: AmpRamp
}

/** Two numbers with 38 decimals. */
export type Vector = { readonly x: bigint; readonly y: bigint }

/**
 * Of a Gyro E-CLP of two tokens: the shape of its ellipse, as the pool stores it. Its price bounds are
 * not part of the formula; `tauAlpha` and `tauBeta` stand for them.
 */
export type EclpForm = {
  readonly kind: 'eclp'
  /** Cosine and sine of the rotation, with 18 decimals. */
  readonly c: bigint
  readonly s: bigint
  /** The stretch λ, with 18 decimals; at least 1. */
  readonly lambda: bigint
  /** The unit vectors of the lowest and the highest price. */
  readonly tauAlpha: Vector
  readonly tauBeta: Vector
  /**
   * With 38 decimals, of c, s and the vectors: s·c·(β.x − α.x), s²·β.y + c²·α.y, s·c·(β.y − α.y),
   * c²·β.x + s²·α.x, and c² + s².
   */
  readonly u: bigint
  readonly v: bigint
  readonly w: bigint
  readonly z: bigint
  readonly dSq: bigint
}

/**
 * A weighted or stable pool of two to eight tokens, or a Gyro E-CLP of two, in the vault of Balancer
 * V3, without a hook.
 */
export type BalancerV3Pool = PoolBase & {
  readonly family: 'balancerV3'
  readonly tokens: readonly Address[]
  /** In wei, without the yield fees that the next swap will take. */
  readonly balancesRaw: readonly bigint[]
  /** 10^(18 − decimals) of each token. */
  readonly decimalScalingFactors: readonly bigint[]
  /** The rate of a token in the pool, with 18 decimals; 10¹⁸ without a rate provider. */
  readonly tokenRates: readonly bigint[]
  /** Part of the input, with 18 decimals. */
  readonly swapFee: bigint
  /** The part of each fee that leaves the balances, with 18 decimals; 0 in recovery mode. */
  readonly aggregateSwapFee: bigint
  /** The least amount in and amount out of a swap, in the common unit of 18 decimals. */
  readonly minTradeAmount: bigint
  readonly form: WeightedForm | StableForm | EclpForm
}

/** A swap in the common unit of 18 decimals, after the fee. */
export type ScaledSwap = {
  readonly i: number
  readonly o: number
  readonly live: readonly bigint[]
  readonly amountIn: bigint
}
