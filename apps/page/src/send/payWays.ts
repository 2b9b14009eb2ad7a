/** Chooses how a sale can be paid: pure, so that each rule has a test. */
import type { PayBy } from '@braid-swap/client'

/** The facts about payer and token that decide. */
export type PayFacts = {
  /** Wei that the router may take already; undefined while it is unknown. */
  readonly allowance: bigint | undefined
  /** The token takes a permit that we can sign. */
  readonly hasPermit: boolean
  /** Permit2 is on the chain. */
  readonly hasPermit2: boolean
  /** The wallet executes several calls as one. */
  readonly canBatch: boolean
}

/**
 * The ways to pay an amount of a token, the best first: one confirmation, then a signature that leaves
 * no approval behind, then an approval. None if the native token pays or the router may take enough.
 */
export function payWaysOf(
  amount: bigint,
  { allowance, hasPermit, hasPermit2, canBatch }: PayFacts,
): readonly PayBy[] {
  if (allowance !== undefined && allowance >= amount) return []
  return [
    ...(canBatch ? (['calls'] as const) : []),
    ...(hasPermit ? (['permit'] as const) : []),
    'approval',
    ...(hasPermit2 ? (['permit2'] as const) : []),
  ]
}
