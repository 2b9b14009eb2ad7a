// How answers of the API fare on the blocks after theirs.

import type { Order, Route } from '@braid-swap/core'
import type { MarketState } from '../market/liveMarket.js'

/** An answer that may be sampled. */
export type Sale = {
  readonly order: Order
  readonly answer: { readonly route?: Route; readonly amountOut: bigint; readonly gas: bigint }
}

/** How answers fared on the block after theirs; gaps are of those that did not revert, `null` if all did. */
export type Accuracy = {
  readonly samples: number
  readonly simulablePercent: number
  readonly p50Bps: number | null
  readonly p95Bps: number | null
}

/** The sampling of answers. */
export type Sampler = {
  /** Offers an answer; one at a time is taken. */
  readonly offer: (state: Pick<MarketState, 'graph'>, sale: Sale) => void
  /** `null` before the first sample. */
  readonly accuracy: () => Accuracy | null
}

/** The figures of gaps in basis points; `undefined` is of a swap that reverts. */
export function accuracyOf(gaps: readonly (number | undefined)[]): Accuracy {
  const paid = gaps.flatMap((gap) => gap ?? []).sort((one, other) => one - other)
  // The nearest rank.
  const at = (part: number) => paid[Math.ceil(part * paid.length) - 1] ?? null
  const simulablePercent = Math.round((paid.length / gaps.length) * 10_000) / 100
  return { samples: gaps.length, simulablePercent, p50Bps: at(0.5), p95Bps: at(0.95) }
}
