import type { Address, Hex } from '@braid-swap/core'

export type Pair = {
  /** `NATIVE` of core is the native token, here and in `dst`. */
  readonly src: Address
  readonly dst: Address
}

/** The amount to sell, in the smallest unit of `src`. */
export type ExactIn = { readonly amount: bigint; readonly dstAmountExact?: undefined }

/** The amount to buy at least, in the smallest unit of `dst`. */
export type ExactOut = { readonly dstAmountExact: bigint; readonly amount?: undefined }

export type Order = Pair & (ExactIn | ExactOut)

export type Flags = {
  readonly includeTokensInfo?: boolean
  readonly includeGas?: boolean
  readonly includeMeta?: boolean
  /** Maximises the output net of gas, or the output alone. */
  readonly objective?: 'net' | 'gross'
  /** Wei per gas for a place in a full block; counts as the price of gas. */
  readonly maxPriorityFeePerGas?: bigint
  /** Refuses a market state older than this; can only be stricter than the server's own limit. */
  readonly maxStateAgeMs?: number
  /** Uses only these of `liquiditySources`. */
  readonly includeProtocols?: readonly string[]
  readonly excludeProtocols?: readonly string[]
  /** Uses none of these: `poolId` of a graph entry if it has one, else `pool`. */
  readonly excludePools?: readonly Hex[]
  /** Passes only these tokens between `src` and `dst`. */
  readonly onlyIntermediates?: readonly Address[]
  /** Says what is nearest to an order that cannot be filled, in `nearest` of the error. */
  readonly includeNearest?: boolean
  /** Most pools on any path from `src` to `dst`. */
  readonly maxHops?: number
  /** Refuses a quote whose price impact exceeds this, in percent. */
  readonly maxPriceImpact?: number | string
  /** The integrator's fee in basis points of the output, up to 100; needs `feeRecipient`. */
  readonly feeBps?: number
  /** The address that gets the fee. */
  readonly feeRecipient?: Address
  /** Quotes from the state at this block, if the server still keeps it for a recent quote. */
  readonly block?: bigint
}

/** Parameters of `quote`. */
export type QuoteRequest = Order &
  Flags & {
    readonly includeRoutes?: boolean
    readonly includeGraph?: boolean
    /** `no` returns the solver's float estimate without the exact replay. */
    readonly exactQuote?: 'yes' | 'no'
  }

/** Parameters of `quotes`: several amounts to sell, at most 20, in the smallest unit of `src`. */
export type QuotesRequest = Pair & { readonly amounts: readonly bigint[] } & Omit<
    Flags,
    'includeNearest'
  > &
  Pick<QuoteRequest, 'includeRoutes' | 'includeGraph' | 'exactQuote'>

/** Parameters of `quoteStream`: each block is answered in turn, so none can be chosen. */
export type QuoteStreamRequest = Order &
  Omit<Flags, 'block' | 'maxStateAgeMs' | 'includeNearest'> &
  Pick<QuoteRequest, 'includeRoutes' | 'includeGraph' | 'exactQuote'>

/** Parameters of `swap`. */
export type SwapRequest = Order &
  Flags & {
    /**
     * In percent, 0 to 50; a string if a float cannot represent it exactly. `auto` uses the suggested
     * one, and the answer has it as `slippageBps`.
     */
    readonly slippage: number | string
    /** The sender. If given, its balance and allowance are checked. */
    readonly from?: Address
    /** The address that gets the output; the sender if absent. */
    readonly receiver?: Address
    readonly gasPrice?: bigint
    readonly gasLimit?: bigint
    /** Adds `calls` for `wallet_sendCalls`; requires `from`. Check them with `verifyCalls`. */
    readonly includeCalls?: boolean
    readonly skipChecks?: boolean
    /** Simulates the transaction on the node's newest state; the result is in `meta.simulation`. */
    readonly simulate?: boolean
    /** Unix seconds after which the router refuses. */
    readonly deadline?: number
    /** A signed EIP-2612 permit of `src` to the router. */
    readonly permit?: Hex
    /** A Permit2 signature for this swap, and its nonce. */
    readonly permit2?: Hex
    readonly permit2Nonce?: bigint
  }

/** Parameters of `approval`; without an amount the approval is unlimited, 0 revokes it. */
export type ApprovalRequest = {
  readonly tokenAddress: Address
  readonly amount?: bigint
  /** The owner: `verifyApproval` then also gives a revocation, if the token needs one first. */
  readonly walletAddress?: Address
}

/** Parameters of `allowance`. */
export type AllowanceRequest = {
  readonly tokenAddress: Address
  readonly walletAddress: Address
  readonly includeMeta?: boolean
}

/** Parameters of `snapshot`; without block and id it returns the newest market. */
export type SnapshotRequest = {
  readonly block?: bigint
  readonly snapshotId?: string
  readonly maxStateAgeMs?: number
}

/** Parameters of `compare`. */
export type ComparisonRequest = Pair & {
  /** In the smallest unit of `src`. */
  readonly amount: bigint
  /** Most pools in the answer, 1 to 50; 10 if absent. */
  readonly limit?: number
  readonly includeMeta?: boolean
}

/** Parameters of `tokens`; pages count from 0. */
export type TokensRequest = {
  readonly page?: number
  readonly limit?: number
  readonly verified?: boolean
}
