import type { Address } from '../../hex.js'
import type { PoolBase } from '../family.js'

/** A bin: a range of constant price, the reserves of which are paid out at that price. */
export type Bin = { readonly id: number; readonly reserves: readonly [bigint, bigint] }

/** Settings of the fee, in the contract's own units. */
export type StaticFeeParameters = {
  readonly baseFactor: bigint
  /** Seconds. */
  readonly filterPeriod: bigint
  /** Seconds. */
  readonly decayPeriod: bigint
  /** In bips. */
  readonly reductionFactor: bigint
  readonly variableFeeControl: bigint
  /** In bips of the fee. */
  readonly protocolShare: bigint
  readonly maxVolatilityAccumulator: bigint
}

/** The memory of earlier swaps in the variable fee. */
export type VariableFeeParameters = {
  readonly volatilityAccumulator: bigint
  readonly volatilityReference: bigint
  readonly idReference: number
  /** Unix seconds. */
  readonly timeOfLastUpdate: bigint
}

/** A pair of Liquidity Book 2.1 or 2.2 without hooks: token X first, as in the contract. */
export type LiquidityBookPool = PoolBase & {
  readonly family: 'liquidityBook'
  readonly tokens: readonly [Address, Address]
  /** In bips of the price from bin to bin. */
  readonly binStep: number
  readonly activeId: number
  /** Bins with liquidity, ascending by id. */
  readonly bins: readonly Bin[]
  readonly staticFee: StaticFeeParameters
  readonly variableFee: VariableFeeParameters
  readonly quotedAt: bigint
}
