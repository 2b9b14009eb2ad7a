/** What the process that follows the chain says about itself, which readers answer with. */
import type { Disagreement } from '@braid-swap/chain'
import { type Address, parse, stringify } from '@braid-swap/core'
import type { Discovery, LiveMarket, MarketCounts } from './liveMarket.js'

/** The status that is published with every market. */
export type FeedStatus = {
  readonly disagreement?: Disagreement
  readonly counts?: MarketCounts
  readonly discovery?: Discovery
  /** The router that is checked, and why it is not confirmed. */
  readonly router: { readonly address: Address; readonly fault?: string }
}

/** The status as JSON. */
export function encodeStatus(
  market: Pick<LiveMarket, 'disagreement' | 'counts' | 'discovery'>,
  router: { readonly address: Address; readonly fault: string | undefined },
): string {
  const { address, fault } = router
  const [disagreement, discovery] = [market.disagreement?.(), market.discovery?.()]
  return stringify({
    ...(disagreement && { disagreement }),
    ...(discovery && { discovery }),
    ...(market.counts && { counts: market.counts() }),
    router: { address, ...(fault !== undefined && { fault }) },
  } satisfies FeedStatus)
}

/** The inverse of {@link encodeStatus}. */
export function decodeStatus(text: string): FeedStatus {
  return parse(text) as FeedStatus
}
