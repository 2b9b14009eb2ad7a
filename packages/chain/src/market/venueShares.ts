// The part of each venue's known pools that is in answers, by count and by what the pools hold, and why the others
// are not. Every surface that tells it reads it from here.

import { type Address, buildGraph, type Hex, pricesOfTokens, type Snapshot } from '@braid-swap/core'
import { toFunctionSelector } from 'viem'
import { isShared } from '../pools/index.js'
import { callData, wordAt } from '../reads/abiWords.js'
import { createReader } from '../reads/multicall.js'
import type { Client } from '../transport/client.js'
import type { Market, SetAside } from './market.js'

/** The part of a venue's pools that is served. */
export type VenueShare = {
  readonly venue: string
  /** Known pools. */
  readonly pools: number
  readonly served: number
  /** The pools that are not served, by reason. */
  readonly refused: Readonly<Record<string, number>>
  /**
   * What its pools hold, in wei of the native token, and what those that are served do. Absent before the
   * balances are read, and where a contract of the venue keeps the tokens of all its pools.
   */
  readonly held?: { readonly all: number; readonly served: number }
}

/** Wei of the native token that pools hold, by pool. */
export type Worths = ReadonlyMap<Hex, number>

const BALANCE_OF = toFunctionSelector('function balanceOf(address)')

/**
 * What each pool holds, by the balances that tokens report now and by the prices of the market. A token without
 * a price, or that is not `trusted`, counts as nothing: anybody can make one and give a pool all of it.
 */
export async function readWorths(
  client: Client,
  { pools, snapshot }: Pick<Market, 'pools' | 'snapshot'>,
  trusted?: ReadonlySet<Address>,
): Promise<Worths> {
  const prices = pricesOfTokens(buildGraph(snapshot))
  const own = pools.filter(({ id, family }) => id.length === 42 && !isShared({ family }))
  const asked = own.flatMap(({ id, tokens }) =>
    tokens.flatMap((token) => {
      const price = trusted?.has(token) === false ? undefined : prices.get(token)
      return price === undefined ? [] : [{ id, token, price }]
    }),
  )
  const answers = await createReader(
    client,
    'latest',
  )(asked.map(({ id, token }) => ({ to: token, data: callData(BALANCE_OF, BigInt(id)) })))
  const worths = new Map<Hex, number>(own.map(({ id }) => [id, 0]))
  for (const [i, { id, price }] of asked.entries()) {
    const { success, data } = answers[i]!
    if (!success || data.length < 66) continue
    worths.set(id, worths.get(id)! + Number(wordAt(data, 0)) * price)
  }
  return worths
}

/** Entries of these codes are about a venue, not about a pool. */
const OF_VENUES: ReadonlySet<string> = new Set(['VENUE_UNREADABLE', 'HISTORY_NOT_KEPT'])
const ON_TRIAL = 'VENUE_ON_TRIAL'
const NOT_READ = 'NOT_READ_YET'

/**
 * The share of each venue, in the order of `venues`. `served` is the snapshot that answers are computed from. A pool
 * that is missing there without an entry of its own is refused for its venue, which has not earned its place, for a
 * token that the operator refuses, or not read yet.
 */
export function venueShares(
  { pools, snapshot, setAside }: Pick<Market, 'pools' | 'snapshot' | 'setAside'>,
  {
    venues,
    served,
    trials = [],
    worths,
  }: {
    readonly venues: readonly { readonly id: string }[]
    readonly served: Snapshot
    readonly trials?: readonly { readonly venue: string }[] | undefined
    readonly worths?: Worths | undefined
  },
): readonly VenueShare[] {
  const ofPools = setAside.filter(({ code }) => !OF_VENUES.has(code))
  const reasons = new Map<Hex, SetAside>(ofPools.map((one) => [one.id, one]))
  const answering = new Set<Hex>(served.pools.map(({ id }) => id))
  const read = new Set<Hex>(snapshot.pools.map(({ id }) => id))
  const answeringVenues = new Set(served.pools.map(({ venue }) => venue))
  const tried = new Set(trials.map(({ venue }) => venue))
  const reasonOf = (id: Hex, venue: string): string => {
    const own = reasons.get(id)
    if (own) return own.code
    if (!read.has(id)) return NOT_READ
    return tried.has(venue) && !answeringVenues.has(venue) ? ON_TRIAL : 'TOKEN_UNSUPPORTED'
  }
  const known = new Map<Hex, string>([...ofPools, ...pools].map(({ id, venue }) => [id, venue]))
  const byVenue = new Map<string, Hex[]>(venues.map(({ id }) => [id, []]))
  for (const [id, venue] of known) byVenue.get(venue)?.push(id)
  return [...byVenue].map(([venue, ids]): VenueShare => {
    const reasons = new Map<string, number>()
    const out = ids.filter((id) => !answering.has(id))
    for (const id of out) {
      const reason = reasonOf(id, venue)
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    }
    const worthOf = (some: readonly Hex[]) =>
      some.reduce((sum, id) => sum + (worths?.get(id) ?? 0), 0)
    const all = worthOf(ids)
    const held = ids.some((id) => worths?.has(id)) ? { all, served: all - worthOf(out) } : undefined
    const refused = Object.fromEntries(reasons)
    const counts = { pools: ids.length, served: ids.length - out.length, refused }
    return { venue, ...counts, ...(held && { held }) }
  })
}

/** Reasons that say nothing against a venue, or not yet. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['POOL_EMPTY', 'POOL_NOT_INITIALISED', ON_TRIAL, NOT_READ],
])

/** The venues of which no pool is served although one could be, for what it holds. */
export function fullyRefused(shares: readonly VenueShare[]): readonly VenueShare[] {
  return shares.filter(({ served, refused }) => {
    const reasons = Object.keys(refused)
    const isWaiting = reasons.includes(ON_TRIAL) || reasons.includes(NOT_READ)
    return served === 0 && !isWaiting && reasons.some((reason) => !PLAIN.has(reason))
  })
}

/** The shares in a sentence: pools and what they hold of all venues, then each venue of which no pool is served. */
export function describeShares(shares: readonly VenueShare[]): string {
  const sum = (of: (share: VenueShare) => number) =>
    shares.reduce((total, share) => total + of(share), 0)
  const held = { all: sum((s) => s.held?.all ?? 0), served: sum((s) => s.held?.served ?? 0) }
  const percent = percentHeld(held)
  const [served, pools] = [sum((s) => s.served), sum((s) => s.pools)]
  const parts = [`${served} of ${pools} known pools are served`]
  if (percent !== null) parts.push(`${percent} % of what pools hold`)
  const none = fullyRefused(shares).map(
    ({ venue, pools: count, refused }) =>
      `none of ${count} of ${venue} (${describeRefused(refused)})`,
  )
  return [parts.join(', '), ...none].join('; ')
}

/** The reasons, the most frequent first. */
export function describeRefused(refused: VenueShare['refused']): string {
  const sorted = Object.entries(refused).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
  return sorted.map(([reason, count]) => `${count} ${reason}`).join(', ')
}

/** The part of what a venue's pools hold that is in pools that are served, in percent; null if unknown. */
export function percentHeld(held: VenueShare['held']): number | null {
  if (!held || !(held.all > 0)) return null
  // Two digits, cut, so that 100 means all.
  return Math.floor((held.served / held.all) * 10_000) / 100
}
