import type { Hex } from '@braid-swap/core'
import type { Venue } from '../pools/venue.js'
import { type Header, readHeader } from '../reads/headers.js'
import type { Client } from '../transport/client.js'
import type { Terms } from '../trust/measure.js'
import type { PriceGuard } from '../trust/priceGuard.js'
import { isDue, isOpen, type Trial } from '../trust/trials.js'
import { tryVenues } from '../trust/tryVenues.js'
import { auditPools } from './auditPools.js'
import type { Market } from './market.js'

/**
 * Asks the venues that are due in a round, and those of pools for whose change there is a sign. Pools that were just
 * accused are read again before, because a state that is no longer the chain's is no fault of theirs.
 */
export async function tryDue(
  client: Client,
  market: Market,
  of: Terms & {
    readonly venues: readonly Venue[]
    readonly guard?: PriceGuard | undefined
    readonly header: Header
    readonly round: number
    readonly isLimited: boolean
    /** Pools that a log, or a swap that failed, names. */
    readonly signs: ReadonlySet<Hex>
  },
): Promise<Market> {
  const signed = market.state.snapshot.pools.filter(({ id }) => of.signs.has(id))
  const signedVenues = new Set(signed.map(({ venue }) => venue))
  const isAsked = (trial: Trial) =>
    isDue(trial, of.round, of.isLimited) || (!trial.isFixed && signedVenues.has(trial.venue))
  const due = market.trust.trials?.filter(isAsked) ?? []
  if (due.length === 0) return market
  const ids = due.flatMap(({ accused = [] }) => accused.filter(isOpen).map(({ pool }) => pool))
  const read = ids.length > 0 ? (await auditPools(client, market, { ...of, ids })).market : market
  const { block } = read.state.snapshot
  const header = block.hash === of.header.hash ? of.header : await readHeader(client, block.number)
  const venues = due.map(({ venue }) => venue)
  return tryVenues(client, read, { ...of, venues, named: of.signs, header })
}
