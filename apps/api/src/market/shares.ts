/** Which part of the venues' pools is served, and a warning for each venue of which none is. */
import {
  type Client,
  type Market,
  readWorths,
  type SetAside,
  type Venue,
  type VenueShare,
  venueShares,
  type Worths,
} from '@braid-swap/chain'
import type { Address, Snapshot } from '@braid-swap/core'
import type { Logger } from 'pino'

// What pools hold only tells how much is served, so it may be an hour old.
const EVERY_MS = 3_600_000
const RETRY_MS = 60_000

/** The shares of the venues of a market that is followed. */
export type Shares = {
  /** Takes the newest market, and the snapshot that answers are computed from. */
  readonly take: (market: Market, served: Snapshot) => void
  /** None before the first market. */
  readonly current: () => readonly VenueShare[]
}

/** Follows the shares; what pools hold is read beside the market, and again after a failure. */
export function createShares(options: {
  readonly client: Client
  readonly venues: readonly Venue[]
  /** Tokens that count as held; all if absent. */
  readonly trials?: { readonly trusted?: ReadonlySet<Address> | undefined } | undefined
  /** The search for pools, which sets some aside. */
  readonly progress?: () => { readonly setAside: readonly SetAside[] }
  readonly signal: AbortSignal
  readonly log: Logger
  readonly now: () => number
}): Shares {
  const { client, venues, progress, signal, log, now } = options
  let newest: { readonly market: Market; readonly served: Snapshot } | undefined
  let worths: Worths | undefined
  let dueMs = Number.NEGATIVE_INFINITY
  let shares: readonly VenueShare[] = []
  const update = () => {
    if (!newest) return
    const { market, served } = newest
    const setAside = [...(progress?.().setAside ?? []), ...market.state.setAside]
    const before = new Set(shares.flatMap(({ venue, isRefused }) => (isRefused ? [venue] : [])))
    shares = venueShares({ ...market.state, ...market.trust, setAside }, { venues, served, worths })
    for (const { venue, pools, refused, isRefused } of shares) {
      if (isRefused && !before.has(venue))
        log.warn({ venue, pools, reasons: refused }, 'no pool of this venue is served')
    }
  }
  const read = async (market: Market) => {
    dueMs = now() + EVERY_MS
    try {
      worths = await readWorths(client, market.state, options.trials?.trusted)
      update()
    } catch (error) {
      dueMs = now() + RETRY_MS
      if (!signal.aborted) log.warn({ err: error }, 'failed to read what pools hold')
    }
  }
  return {
    current: () => shares,
    take: (market, served) => {
      newest = { market, served }
      update()
      if (now() >= dueMs) void read(market)
    },
  }
}
