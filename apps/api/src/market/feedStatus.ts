/** Status of the process that follows the chain, which readers answer with. */
import type { Disagreement, Trial, VenueShare } from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import { parse, stringify } from '@braid-swap/core/advanced'
import type { Discovery, LiveMarket, MarketCounts } from './liveMarket.js'

/** The status that is published with every market. */
export type FeedStatus = {
  readonly disagreement?: Disagreement
  readonly counts?: MarketCounts
  readonly discovery?: Discovery
  readonly venues?: readonly Trial[]
  readonly shares?: readonly VenueShare[]
  readonly earned?: readonly Address[]
  /** Describes the chain that the node serves instead of ours; absent while it serves ours. */
  readonly chainFault?: string
  /** The router that is checked, why it is not confirmed, and the executors that calls may name. */
  readonly router: {
    readonly address: Address
    readonly fault?: string
    readonly executors: readonly Address[]
  }
}

/** The status as JSON. */
export function encodeStatus(
  market: Pick<
    LiveMarket,
    'disagreement' | 'counts' | 'discovery' | 'venues' | 'shares' | 'earned'
  >,
  node: {
    readonly router: Omit<FeedStatus['router'], 'fault'> & { readonly fault: string | undefined }
    readonly chainFault: string | undefined
  },
): string {
  const { chainFault } = node
  const { address, fault, executors } = node.router
  const [disagreement, discovery] = [market.disagreement?.(), market.discovery?.()]
  return stringify({
    ...(disagreement && { disagreement }),
    ...(discovery && { discovery }),
    ...(market.venues && { venues: market.venues() }),
    ...(market.shares && { shares: market.shares() }),
    ...(market.earned && { earned: market.earned() }),
    ...(market.counts && { counts: market.counts() }),
    ...(chainFault !== undefined && { chainFault }),
    router: { address, ...(fault !== undefined && { fault }), executors },
  } satisfies FeedStatus)
}

/** The inverse of {@link encodeStatus}. */
export function decodeStatus(text: string): FeedStatus {
  return parse(text) as FeedStatus
}
