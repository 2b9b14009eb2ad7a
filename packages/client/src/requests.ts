import type { Address, Hex } from '@braid-swap/core'

type Order = {
  /** NATIVE of core stands for the native token, here and in `dst`. */
  readonly src: Address
  readonly dst: Address
  /** In the smallest unit of `src`. */
  readonly amount: bigint
}

type Flags = {
  readonly includeTokensInfo?: boolean
  readonly includeGas?: boolean
  readonly includeMeta?: boolean
  /** What is maximised: the output less its gas, or the output alone. */
  readonly objective?: 'net' | 'gross'
  /** Refuses a market older than this; can only tighten the server's own limit. */
  readonly maxStateAgeMs?: number
  /** Uses only these of `liquiditySources`. */
  readonly includeProtocols?: readonly string[]
  readonly excludeProtocols?: readonly string[]
  /** Most pools on any path from `src` to `dst`. */
  readonly maxHops?: number
  /** Refuses a quote whose price impact exceeds this, in percent. */
  readonly maxPriceImpact?: number | string
  /** Quotes from the state at this block, if a recent quote was made of it. */
  readonly block?: bigint
}

/** What `quote` can be asked. */
export type QuoteRequest = Order &
  Flags & {
    readonly includeRoutes?: boolean
    readonly includeGraph?: boolean
    /** `no` answers the solver's own sum, without the exact walk. */
    readonly exactQuote?: 'yes' | 'no'
  }

/** What `swap` can be asked. */
export type SwapRequest = Order &
  Flags & {
    /** In percent, 0 to 50; a string where a float would not say it. */
    readonly slippage: number | string
    /** With it, balance and allowance are checked. */
    readonly from?: Address
    /** Who gets the output; the sender when absent. */
    readonly receiver?: Address
    readonly gasPrice?: bigint
    readonly gasLimit?: bigint
    readonly skipChecks?: boolean
    /** Runs the transaction on the node's newest state; `meta.simulation` says what came out. */
    readonly simulate?: boolean
    /** Unix seconds after which the router refuses. */
    readonly deadline?: number
    /** A signed EIP-2612 permit of `src` to the router. */
    readonly permit?: Hex
    /** A Permit2 signature for this swap, and its nonce. */
    readonly permit2?: Hex
    readonly permit2Nonce?: bigint
  }

/** What `approval` can be asked; without an amount the approval is unlimited, 0 revokes. */
export type ApprovalRequest = { readonly tokenAddress: Address; readonly amount?: bigint }

/** What `allowance` can be asked. */
export type AllowanceRequest = {
  readonly tokenAddress: Address
  readonly walletAddress: Address
  readonly includeMeta?: boolean
}

/** Which market `snapshot` hands out; the newest if neither is given. */
export type SnapshotRequest = {
  readonly block?: bigint
  readonly snapshotId?: string
  readonly maxStateAgeMs?: number
}

/** What `compare` can be asked. */
export type ComparisonRequest = Order & {
  /** Most pools in the answer, 1 to 50; 10 when absent. */
  readonly limit?: number
  readonly includeMeta?: boolean
}

/** What `tokens` can be asked; pages count from 0. */
export type TokensRequest = {
  readonly page?: number
  readonly limit?: number
  readonly verified?: boolean
}
