import {
  createClient,
  examineVenue,
  type Finding,
  findVenuePools,
  type Venue,
} from '@braid-swap/chain'
import type { Chain } from '@braid-swap/devnet'

/** What doctor finds of a venue that it finds the pools of by itself. */
export async function examined(
  { rpcUrl, wrappedNative }: Pick<Chain, 'rpcUrl' | 'wrappedNative'>,
  venue: Venue,
): Promise<readonly Finding[]> {
  const client = createClient(rpcUrl)
  const { refs, findings } = await findVenuePools(client, venue, [])
  const of = { refs, lenders: refs, wrappedNative }
  return [...findings, ...(await examineVenue(client, venue, of))]
}
