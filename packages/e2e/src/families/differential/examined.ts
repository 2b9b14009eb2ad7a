import { createClient, examineVenues, type Finding, type Venue } from '@braid-swap/chain'
import type { Chain } from '@braid-swap/devnet'

/** What doctor finds of a venue that it finds the pools of by itself. */
export function examined(
  { rpcUrl, wrappedNative }: Pick<Chain, 'rpcUrl' | 'wrappedNative'>,
  venue: Venue,
): Promise<readonly Finding[]> {
  return examineVenues(createClient(rpcUrl), [venue], { wrappedNative })
}
